#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-emoji-escaped
# report: healthy
# expect: none
# outcome: ok
# needs: python3
# why: Characters beyond the BMP as pairs of escapes on the wire, raw bytes in the answer: the same text all the way.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import json
import sys
from mcp_stdio import reply

def write_file(path, content):
    with open(path, "w", encoding="utf-8") as f:
        f.write(content)
    return content

for line in sys.stdin.buffer:
    answer = reply(json.loads(line), {"write_file": write_file})
    if answer:
        sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=False).encode() + b"\n")
        sys.stdout.buffer.flush()
END
cat >agent.py <<'END'
import sys
from mcp_stdio import Client

agent = Client("python3", "server.py")
text = "party \U0001f389 in Zürich, 東京 and a\u0301 as two"
returned = agent.text("write_file", path="party.txt", content=text)
agent.close()
sys.exit(returned != text or open("party.txt", encoding="utf-8").read() != text)
END
python3 agent.py
