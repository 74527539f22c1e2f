#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-file-size
# report: own
# expect: level=sandbox primitive=quota cause=file-size
# subject: dump.sql
# outcome: failed
# needs: python3
# why: The server's file-size limit is lower than the dump that it shall write: EFBIG, and an isError that says so.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
from mcp_stdio import serve

def dump(path, rows):
    with open(path, "w") as f:
        for n in range(rows):
            f.write("INSERT INTO t VALUES (%d);\n" % n)
    return "%d rows" % rows

serve({"dump": dump})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("sh", "-c", "ulimit -f 200 && exec python3 server.py")
print(agent.text("dump", path="small.sql", rows=10))
print(agent.text("dump", path="dump.sql", rows=50000))
END
python3 agent.py
