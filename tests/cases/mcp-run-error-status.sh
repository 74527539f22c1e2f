#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-run-error-status
# report: own
# expect: level=sandbox primitive=read-only cause=mount
# subject: out/latest.json
# outcome: failed
# needs: python3 bwrap
# why: The tool answers with isError and the bare status; what cp said goes to nobody.
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
    p = subprocess.run(command, shell=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if p.returncode:
        raise RuntimeError("Command failed with exit code %d" % p.returncode)
    return "done"

serve({"shell": shell})
END
cat >agent.py <<'END'
import os
from mcp_stdio import Client

out = os.path.abspath("out")
agent = Client("bwrap", "--dev-bind", "/", "/", "--ro-bind", out, out, "--", "python3", "server.py")
print(agent.text("shell", command="cp report.json out/latest.json && echo copied"))
END
python3 agent.py
