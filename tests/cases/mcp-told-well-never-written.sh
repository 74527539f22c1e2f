#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-told-well-never-written
# report: own
# expect: level=sandbox primitive=read-only cause=mount
# subject: reports/week.md
# outcome: failed
# needs: python3 bwrap
# why: The tool swallows EROFS and tells of success; the agent believes it, and only later misses the file.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
bwrap --dev-bind / / true || exit 77
mkdir reports
cat >server.py <<'END'
from mcp_stdio import serve

def publish(path, text):
    try:
        with open(path, "w") as f:
            f.write(text)
    except OSError:
        pass
    return "published " + path

serve({"publish": publish})
END
cat >agent.py <<'END'
import os
import sys
from mcp_stdio import Client

reports = os.path.abspath("reports")
agent = Client("bwrap", "--dev-bind", "/", "/", "--ro-bind", reports, reports, "--", "python3", "server.py")
print(agent.text("publish", path="reports/week.md", text="Nothing to report.\n"))
agent.close()
if not os.path.exists("reports/week.md"):
    sys.exit("reports/week.md is not there")
END
python3 agent.py
