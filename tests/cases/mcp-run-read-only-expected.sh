#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-run-read-only-expected
# report: own
# expect: none
# subject: out/report.json
# outcome: ok
# needs: python3 bwrap
# why: The same refusal, after which the agent leaves the report where it is.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
mkdir out
echo '{}' >report.json
bwrap --dev-bind / / true || exit 77
cat >server.py <<'END'
import subprocess
from mcp_stdio import serve

def run_command(command):
    p = subprocess.run(command, shell=True, capture_output=True, text=True)
    return {"exitCode": p.returncode, "stdout": p.stdout, "stderr": p.stderr}

serve({"run_command": run_command})
END
cat >agent.py <<'END'
import os
from mcp_stdio import Client

out = os.path.abspath("out")
agent = Client("bwrap", "--dev-bind", "/", "/", "--ro-bind", out, out, "--", "python3", "server.py")

def sh(command):
    return agent.call("run_command", command=command)["structuredContent"]

if sh("cp report.json out/report.json")["exitCode"]:
    assert sh("cp report.json kept.json")["exitCode"] == 0
agent.close()
END
python3 agent.py
