#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-notifications-only
# report: healthy
# expect: none
# outcome: ok
# needs: python3
# why: After its handshake a session has notifications alone, in both directions, and ends.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import json
import sys
from mcp_stdio import reply

for line in sys.stdin:
    request = json.loads(line)
    answer = reply(request, {})
    if request["method"] == "notifications/progress":
        answer = {"jsonrpc": "2.0", "method": "notifications/message",
                  "params": {"level": "info", "data": "step %d" % request["params"]["progress"]}}
    if answer:
        print(json.dumps(answer), flush=True)
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("python3", "server.py")
for step in range(5):
    agent.notify("notifications/progress", progressToken=1, progress=step)
    print(agent.line().decode())
agent.close()
END
python3 agent.py
