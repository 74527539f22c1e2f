#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-path-foreign
# report: own
# expect: level=interface primitive=path cause=foreign
# subject: C:
# outcome: failed
# needs: python3
# why: The agent hands in a path of another system; to this one it is a name with backslashes that does not exist.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
from mcp_stdio import serve

def read_file(path):
    with open(path) as f:
        return f.read()

serve({"read_file": read_file})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("python3", "server.py")
print(agent.text("read_file", path="C:\\Users\\ada\\notes.txt"))
END
python3 agent.py
