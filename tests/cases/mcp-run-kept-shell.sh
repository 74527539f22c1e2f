#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-run-kept-shell
# report: own
# expect: level=sandbox primitive=read-only cause=mount
# subject: out/latest
# outcome: failed
# needs: python3 bwrap
# why: The server keeps one shell for all its calls; what failed is a child of that, and the shell lives on.
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
sh = subprocess.Popen(["bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
def bash(command):
    sh.stdin.write(command + "\necho __END__ $?\n"); sh.stdin.flush()
    out = ""
    while True:
        line = sh.stdout.readline()
        if line.startswith("__END__"): break
        out += line
    return {"output": out, "exit_code": int(line.split()[1])}
serve({"bash": bash})
END
cat >agent.py <<'END'
import os
import sys
from mcp_stdio import Client

out = os.path.abspath("out")
agent = Client("bwrap", "--dev-bind", "/", "/", "--ro-bind", out, out, "--", "python3", "server.py")
r = agent.call("bash", command="mkdir out/latest")["structuredContent"]
agent.close()
sys.exit(3 if r["exit_code"] else 0)
END
python3 agent.py
