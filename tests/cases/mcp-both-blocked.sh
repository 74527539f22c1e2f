#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-both-blocked
# report: own
# expect: level=interface primitive=transport cause=blocked
# outcome: failed
# needs: python3
# why: The client writes all its requests before it reads an answer: both pipes are full, and each end waits.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
from mcp_stdio import serve

serve({"lines": lambda n: "a line of some length, again and again\n" * n})
END
cat >agent.py <<'END'
import signal
from mcp_stdio import Client

def late(*_):
    agent.server.kill()
    raise TimeoutError("the server does not take the next request")

agent = Client("python3", "server.py")
signal.signal(signal.SIGALRM, late)
signal.alarm(5)
numbers = [agent.send("tools/call", name="lines", arguments={"n": 100, "why": "x" * 900}) for _ in range(400)]
print(len([agent.wait(n) for n in numbers]))
END
sed -i 's/lambda n:/lambda n, why:/' server.py
python3 agent.py
