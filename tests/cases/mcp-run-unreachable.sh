#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-run-unreachable
# report: own
# expect: level=sandbox primitive=network cause=unreachable
# subject: 192.0.2.9
# outcome: failed
# needs: python3 curl unshare
# why: The status of curl stands at the end of the tool's text; the agent ends with what curl said.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
unshare -n true || exit 77
cat >server.py <<'END'
import subprocess
from mcp_stdio import serve

def shell(command):
    p = subprocess.run(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return "%s[exit status %d]" % (p.stdout, p.returncode)

serve({"shell": shell})
END
cat >agent.py <<'END'
import sys
from mcp_stdio import Client

agent = Client("unshare", "-n", "python3", "server.py")
said = agent.text("shell", command="curl -sS --max-time 5 http://192.0.2.9/")
agent.close()
if "[exit status 0]" not in said:
    sys.exit(said)
END
python3 agent.py
