#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-file-gone
# report: own
# expect: level=workload primitive=exit cause=missing-file
# subject: plan.md
# outcome: failed
# needs: python3
# why: The agent asks for a file that nobody ever made: its own fault, said by ENOENT and by the answer alike.
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
import sys
from mcp_stdio import Client

agent = Client("python3", "server.py")
answer = agent.call("read_file", path="plan.md")
agent.close()
print(answer["content"][0]["text"])
sys.exit(answer["isError"])
END
python3 agent.py
