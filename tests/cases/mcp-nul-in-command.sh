#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-nul-in-command
# report: own
# expect: level=interface primitive=null-byte cause=argument
# outcome: failed
# needs: python3
# why: A NUL stands in a command line; subprocess refuses it before any system call.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import subprocess
from mcp_stdio import serve

def run(command):
    return subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE).stdout.decode()

serve({"run": run})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("python3", "server.py")
print(agent.text("run", command="echo one"))
print(agent.text("run", command="echo two\0three"))
END
python3 agent.py
