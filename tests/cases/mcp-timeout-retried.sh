#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-timeout-retried
# report: healthy
# expect: none
# outcome: ok
# needs: python3
# why: One request gets lost, the client asks again after a second and gets its answer.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import json
import sys
from mcp_stdio import reply

lost = False
for line in sys.stdin:
    request = json.loads(line)
    if request["method"] == "tools/call" and not lost:
        lost = True
        continue
    answer = reply(request, {"weather": lambda city: "rain"})
    if answer:
        print(json.dumps(answer), flush=True)
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("python3", "server.py")
for attempt in range(3):
    try:
        print(agent.call("weather", seconds=1, city="Bergen")["content"][0]["text"])
        break
    except TimeoutError as e:
        print(e)
agent.close()
END
python3 agent.py
