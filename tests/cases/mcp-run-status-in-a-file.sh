#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-run-status-in-a-file
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3
# why: The file that a tool reads tells of a status, as logs do; the tool ran nothing.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
echo 'Process exited with code 1' >ci.log
cat >server.py <<'END'
from mcp_stdio import serve
serve({"read_file": lambda path: open(path).read()})
END
cat >agent.py <<'END'
import sys
from mcp_stdio import Client

agent = Client("python3", "server.py")
print(agent.text("read_file", path="ci.log"))
agent.close()
sys.exit(1)
END
python3 agent.py
