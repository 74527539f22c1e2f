#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-write-denied
# report: own
# expect: level=sandbox primitive=file-permission cause=denied
# subject: notes.md
# outcome: failed
# needs: python3 setpriv
# why: The server runs as a user who may read the notes but not write them; EACCES stands in its answer.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 .
echo 'Bring the keys.' >notes.md
cat >server.py <<'END'
from mcp_stdio import serve

def append(path, line):
    with open(path, "a") as f:
        f.write(line + "\n")
    return "appended"

serve({"append": append, "read": lambda path: open(path).read()})
END
cat >agent.py <<'END'
from mcp_stdio import Client

user = ["setpriv", "--reuid=48217", "--regid=48217", "--clear-groups"]
agent = Client(*user, "python3", "server.py")
print(agent.text("read", path="notes.md"))
print(agent.text("append", path="notes.md", line="And the map."))
END
python3 agent.py
