#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-read-cut-enough
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3
# why: read_file hands out the first 64 KiB; that is enough for the agent, which fails for a reason of its own.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
from mcp_stdio import serve


def read_file(path):
    with open(path) as f:
        return f.read(65536)


serve({"read_file": read_file})
END
cat >agent.py <<'END'
import sys
from mcp_stdio import Client

with open("log.txt", "w") as f:
    f.write("line of the log\n" * 10000 + "last\n")
agent = Client("python3", "server.py")
if agent.text("read_file", path="log.txt").startswith("line"):
    sys.exit("score 0.4 is below 0.5")
END
python3 agent.py
