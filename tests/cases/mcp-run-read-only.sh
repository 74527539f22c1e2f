#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-run-read-only
# report: own
# expect: level=sandbox primitive=read-only cause=mount
# subject: out/latest.json
# outcome: failed
# needs: python3 bwrap
# why: A tool that runs commands answers well, with the status 1 of a cp that met a read-only mount; the agent ends with it.
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
import sys
from mcp_stdio import Client

out = os.path.abspath("out")
agent = Client("bwrap", "--dev-bind", "/", "/", "--ro-bind", out, out, "--", "python3", "server.py")

def sh(command):
    return agent.call("run_command", command=command)["structuredContent"]

copied = sh("cp report.json out/latest.json && echo copied")
agent.close()
sys.exit(copied["exitCode"])
END
python3 agent.py
