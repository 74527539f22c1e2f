#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-shell-tool-signal
# report: own
# expect: level=workload primitive=crash cause=signal
# outcome: failed
# needs: python3 cc
# why: The tool runs the agent's own program, which crashes; the tool says so, and the agent ends with an error.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >sum.c <<'END'
int main(void) { volatile int *p = 0; return *p; }
END
cc -o sum sum.c || exit 77
cat >server.py <<'END'
import subprocess
from mcp_stdio import serve

def shell(command):
    p = subprocess.run(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if p.returncode:
        raise RuntimeError("exit status %d: %s" % (p.returncode, p.stdout.decode()))
    return p.stdout.decode()

serve({"shell": shell})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("python3", "server.py")
print(agent.text("shell", command="./sum"))
END
python3 agent.py
