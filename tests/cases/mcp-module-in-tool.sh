#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-module-in-tool
# report: own
# expect: level=sandbox primitive=library cause=module
# subject: tabular_reports
# outcome: failed
# needs: python3
# why: The tool runs a Python program whose module the image lacks; the traceback stands in its answer, and the agent says only that it failed.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'EOF'
import subprocess
from mcp_stdio import serve

def run(code):
    p = subprocess.run(["python3", "-c", code], capture_output=True, text=True)
    if p.returncode:
        raise RuntimeError(p.stderr)
    return p.stdout

serve({"run": run})
EOF
cat >agent.py <<'EOF'
from mcp_stdio import Client

agent = Client("python3", "server.py")
print(agent.text("run", code="print(6 * 7)"))
result = agent.call("run", code="import tabular_reports")
agent.close()
raise SystemExit("the report was not made" if result.get("isError") else 0)
EOF
python3 agent.py
