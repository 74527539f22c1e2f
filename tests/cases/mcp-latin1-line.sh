#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-latin1-line
# report: own
# expect: level=interface primitive=encoding cause=utf8
# also: level=interface primitive=encoding cause=replacement
# outcome: failed
# needs: python3
# why: The client writes its JSON in Latin-1: the file gets a name with U+FFFD in it, and is not found.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import io
import sys
from mcp_stdio import serve

sys.stdin = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")

def write_file(path, content):
    with open(path, "w") as f:
        f.write(content)
    return "ok"

serve({"write_file": write_file})
END
cat >agent.py <<'END'
import json
import os
import sys
from mcp_stdio import Client

agent = Client("python3", "server.py")
request = {"jsonrpc": "2.0", "id": 9, "method": "tools/call",
           "params": {"name": "write_file", "arguments": {"path": "menü.txt", "content": "Suppe\n"}}}
agent.server.stdin.write(json.dumps(request, ensure_ascii=False).encode("latin-1") + b"\n")
agent.server.stdin.flush()
print(agent.wait(9)["result"]["content"][0]["text"])
for day in ("monday.txt", "tuesday.txt", "wednesday.txt"):
    print(agent.text("write_file", path=day, content="Suppe\n"))
if not os.path.exists("menü.txt"):
    sys.exit("no menü.txt among %s" % os.listdir("."))
END
PYTHONUTF8=1 python3 agent.py
