#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-hang-polls-result
# report: own
# expect: level=interface primitive=deadline cause=no-response
# subject: wait
# outcome: failed
# needs: python3
# why: The tool looks for a result that nobody makes; no primitive refuses it anything, the agent gives up.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import os
import time
from mcp_stdio import serve
def wait(job):
    while not os.path.exists("results/" + job): time.sleep(.1)
    return "ok"
serve({"wait": wait})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("python3", "server.py")
agent.call("wait", seconds=2, job="job-17.json")
END
python3 agent.py
