#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-run-not-found
# report: own
# expect: level=sandbox primitive=binary cause=not-found
# subject: no-such-linter
# outcome: failed
# needs: python3
# why: The status 127 of a shell stands in a result; the agent ends with a status of its own.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import subprocess
from mcp_stdio import serve

def run_command(command):
    p = subprocess.run(command, shell=True, capture_output=True, text=True)
    return {"exitCode": p.returncode, "stdout": p.stdout, "stderr": p.stderr}

serve({"run_command": run_command})
END
cat >agent.py <<'END'
import sys
from mcp_stdio import Client

agent = Client("python3", "server.py")

def sh(command):
    return agent.call("run_command", command=command)["structuredContent"]

checked = sh("no-such-linter --all")
agent.close()
if checked["exitCode"]:
    sys.exit("the linter has failed: " + checked["stderr"])
END
python3 agent.py
