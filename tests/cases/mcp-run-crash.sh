#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-run-crash
# report: own
# expect: level=workload primitive=crash cause=signal
# outcome: failed
# needs: python3 cc
# why: A program that a shell runs crashes; the tool tells 139 as a result, and the agent ends with a status of its own.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
command -v cc >/dev/null || exit 77
echo 'int main(void) { *(volatile int *)0 = 1; }' >render.c
cc -o render render.c || exit 77
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

rendered = sh("./render; exit $?")
agent.close()
if rendered["exitCode"]:
    sys.exit("render ended with %d" % rendered["exitCode"])
END
python3 agent.py
