#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-pids-limit
# report: own
# expect: level=sandbox primitive=pids cause=cgroup-limit
# outcome: failed
# needs: python3
# why: The tool starts a pool of workers in a cgroup of few processes; fork fails with EAGAIN, and the answer says so.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
. "$here/lib/limit.sh"
cat >server.py <<'END'
import subprocess
from mcp_stdio import serve

def run_tests(workers):
    running = []
    try:
        for _ in range(workers):
            running.append(subprocess.Popen(["sleep", "20"]))
        return "%d workers" % workers
    finally:
        for p in running:
            p.kill()
            p.wait()

serve({"run_tests": run_tests})
END
cat >server.sh <<END
. "$here/lib/limit.sh"
in_limited_cgroup pids=8 -- python3 server.py
END
cat >agent.py <<'END'
from mcp_stdio import Client, Refused

agent = Client("sh", "server.sh")
print(agent.text("run_tests", workers=2))
try:
    print(agent.text("run_tests", workers=16))
finally:
    agent.close()
END
python3 agent.py
