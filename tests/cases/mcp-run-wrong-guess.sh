#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-run-wrong-guess
# report: own
# expect: none
# outcome: ok
# needs: python3
# why: Commands of an agent fail as commands do: no match, a difference, a file that is not there.
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
from mcp_stdio import Client

agent = Client("python3", "server.py")

def sh(command):
    return agent.call("run_command", command=command)["structuredContent"]

assert sh("grep -q no_such_word server.py")["exitCode"] == 1
assert sh("cmp -s agent.py server.py")["exitCode"] == 1
assert sh("cat src/main.py")["exitCode"] == 1
assert sh("cat agent.py")["exitCode"] == 0
agent.close()
END
python3 agent.py
