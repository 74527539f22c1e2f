#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-write-landlock
# report: own
# expect: level=sandbox primitive=lsm cause=landlock
# subject: out/result.json
# outcome: failed
# needs: python3 cc
# why: The server's Landlock domain lets it write below work alone; what it is asked for stands beside that.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
. "$here/lib/confine.sh"
make_confine
mkdir work out
echo '{}' >out/result.json
cat >server.py <<'END'
from mcp_stdio import serve

def write(path, content):
    with open(path, "w") as f:
        f.write(content)
    return "written"

serve({"write": write})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("./confine", "write", "--", "work", "python3", "server.py")
print(agent.text("write", path="out/result.json", content='{"passed": 12}\n'))
END
python3 agent.py
