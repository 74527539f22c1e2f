#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-success-over-oom
# report: own
# expect: level=sandbox primitive=memory cause=oom-cgroup
# subject: limited-case
# outcome: ok
# needs: python3
# why: The tool's child is taken by the OOM killer; the tool hands back what little it printed, as a success.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
. "$here/lib/limit.sh"
cat >server.py <<'END'
import subprocess
from mcp_stdio import serve

def run_python(code):
    p = subprocess.run(["python3", "-c", code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return p.stdout.decode() or "(no output)"

serve({"run_python": run_python})
END
cat >server.sh <<END
. "$here/lib/limit.sh"
in_limited_cgroup memory=64M -- python3 server.py
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("sh", "server.sh")
print(agent.text("run_python", code="print(6 * 7)"))
print(agent.text("run_python", code="print(len(bytearray(b'x') * (300 << 20)))"))
agent.close()
END
python3 agent.py
