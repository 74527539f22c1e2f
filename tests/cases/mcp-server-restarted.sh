#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-server-restarted
# report: healthy
# expect: none
# outcome: ok
# needs: python3
# why: The server ends after its idle time with no call open; the client notices, starts another one, and goes on.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import json
import select
import sys
from mcp_stdio import reply

sys.stdin = open(0, "rb", buffering=0)
while select.select([sys.stdin], [], [], 0.5)[0]:
    line = sys.stdin.readline()
    if not line:
        break
    answer = reply(json.loads(line), {"time": lambda: "noon"})
    if answer:
        print(json.dumps(answer), flush=True)
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("python3", "server.py")
print(agent.text("time"))
agent.server.wait()
agent.server.stdin.close()
agent = Client("python3", "server.py")
print(agent.text("time"))
agent.close()
END
python3 agent.py
