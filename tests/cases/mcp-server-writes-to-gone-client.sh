#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-server-writes-to-gone-client
# report: modelcontextprotocol/typescript-sdk#1679
# expect: level=interface primitive=transport cause=broken-pipe
# outcome: failed
# needs: python3
# why: A client sends its request and leaves; the server's progress note meets a broken pipe, its work is never done.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import json
import sys
import time
from mcp_stdio import reply

def note(done):
    params = {"progressToken": 1, "progress": done}
    print(json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}), flush=True)

def render(path):
    for done in range(4):
        time.sleep(0.2)
        note(done)
    with open(path, "w") as f:
        f.write("a film\n")
    return "rendered"

for line in sys.stdin:
    answer = reply(json.loads(line), {"render": render})
    if answer:
        print(json.dumps(answer), flush=True)
END
cat >submit.py <<'END'
from mcp_stdio import Client

agent = Client("python3", "server.py")
agent.send("tools/call", name="render", arguments={"path": "film.txt"})
print("submitted")
END
cat >agent.py <<'END'
import os
import subprocess
import sys
import time

subprocess.run([sys.executable, "submit.py"], check=True)
deadline = time.monotonic() + 3
while not os.path.exists("film.txt"):
    if time.monotonic() > deadline:
        sys.exit("no film")
    time.sleep(0.1)
END
python3 agent.py
