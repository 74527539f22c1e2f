#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-nul-in-path-python
# report: own
# expect: level=interface primitive=null-byte cause=argument
# subject: report.txt
# outcome: failed
# needs: python3
# why: A path with U+0000 before its suffix: Python refuses it before any system call.
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
from mcp_stdio import Client

agent = Client("python3", "server.py")
print(agent.text("read", file_path="report.txt\0.bak"))
END
python3 agent.py
