#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-success-over-crash
# report: own
# expect: level=workload primitive=crash cause=signal
# outcome: failed
# needs: python3 cc
# why: The worker of a tool crashes, the tool says that it is done, and the agent misses what it made.
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

def render(out):
    subprocess.run(["./render", out])
    return "rendered " + out

serve({"render": render})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("python3", "server.py")
agent.text("render", out="page.pdf")
agent.close()
print(len(open("page.pdf", "rb").read()))
END
python3 agent.py
