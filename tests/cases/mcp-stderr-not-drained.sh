#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-stderr-not-drained
# report: mark3labs/mcp-go#956
# expect: level=interface primitive=transport cause=blocked
# outcome: failed
# needs: python3
# why: The server logs to a pipe that its client never reads; once that is full the server waits, and answers no more.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import sys
from mcp_stdio import serve

def query(sql):
    for n in range(600):
        print("DEBUG parsed token %d of %s" % (n, sql), file=sys.stderr, flush=True)
    return "1 row"

serve({"query": query})
END
cat >agent.py <<'END'
import subprocess
from mcp_stdio import Client

agent = Client("python3", "server.py", stderr=subprocess.PIPE)
for n in range(12):
    try:
        print(agent.call("query", seconds=5, sql="SELECT * FROM orders WHERE id = %d" % n)["content"][0]["text"])
    except TimeoutError:
        agent.server.kill()
        raise
END
python3 agent.py
