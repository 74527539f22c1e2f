#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-tool-error-retried
# report: healthy
# expect: none
# outcome: ok
# needs: python3
# why: A tool is busy twice; the agent tries again and gets its answer.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import itertools
from mcp_stdio import serve

attempt = itertools.count(1)

def build(target):
    if next(attempt) < 3:
        raise RuntimeError("another build is running, try again")
    return "built " + target

serve({"build": build})
END
cat >agent.py <<'END'
from mcp_stdio import Client, Refused

agent = Client("python3", "server.py")
for attempt in range(5):
    try:
        print(agent.text("build", target="docs"))
        break
    except Refused as e:
        print(e)
agent.close()
END
python3 agent.py
