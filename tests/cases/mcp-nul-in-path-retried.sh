#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-nul-in-path-retried
# report: healthy
# expect: none
# outcome: ok
# needs: python3
# why: The first path has a U+0000 at its end; the agent reads the error, takes it off, and goes on.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
echo 'three open points' >report.txt
cat >server.py <<'END'
from mcp_stdio import serve

def read(file_path):
    with open(file_path) as f:
        return f.read()

serve({"read": read})
END
cat >agent.py <<'END'
from mcp_stdio import Client, Refused

agent = Client("python3", "server.py")
path = "report.txt\0"
try:
    print(agent.text("read", file_path=path))
except Refused as e:
    print(e)
    print(agent.text("read", file_path=path.rstrip("\0")))
agent.close()
END
python3 agent.py
