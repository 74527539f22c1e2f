#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-child-killed-by-timeout
# report: own
# expect: level=interface primitive=deadline cause=killed
# subject: python3
# outcome: failed
# needs: python3
# why: The shell tool ends its command at its own time limit by SIGKILL; isError tells of the time limit.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import subprocess
from mcp_stdio import serve

def shell(command):
    return subprocess.run(command, timeout=1, stdout=subprocess.PIPE).stdout.decode()

serve({"shell": shell})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("python3", "server.py")
print(agent.text("shell", command=["echo", "one"]))
print(agent.text("shell", command=["sleep", "20"]))
END
python3 agent.py
