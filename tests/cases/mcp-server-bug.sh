#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-server-bug
# report: flop-labs/technocore-chat#218
# expect: level=interface primitive=transport cause=closed
# outcome: failed
# needs: python3
# why: An exception escapes the server's loop, so it ends with a request open, by a fault of its own.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import json
import sys
from mcp_stdio import reply

def room(name):
    return json.loads('{"lobby": "3 people"}')[name]

for line in sys.stdin:
    request = json.loads(line)
    if request["method"] == "tools/call":
        name = request["params"]["arguments"]["name"]
        text = room(name)
    answer = reply(request, {"read_room": lambda name: text})
    if answer:
        print(json.dumps(answer), flush=True)
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("python3", "server.py", stderr=open("server.log", "w"))
print(agent.text("read_room", name="lobby"))
print(agent.text("read_room", name="attic"))
END
python3 agent.py
