#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-run-text-only
# report: own
# expect: level=sandbox primitive=read-only cause=mount
# subject: out/latest.json
# outcome: failed
# needs: python3 bwrap
# why: A shell tool answers with what the command said, without its status; the agent ends with that.
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

def shell(command):
    p = subprocess.run(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return p.stdout or "(no output)"

serve({"shell": shell})
END
cat >agent.py <<'END'
import os
import sys
from mcp_stdio import Client

out = os.path.abspath("out")
agent = Client("bwrap", "--dev-bind", "/", "/", "--ro-bind", out, out, "--", "python3", "server.py")
said = agent.text("shell", command="cp report.json out/latest.json && echo copied")
agent.close()
if "copied" not in said:
    sys.exit(said)
END
python3 agent.py
