#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-tool-program-missing
# report: own
# expect: level=sandbox primitive=binary cause=not-found
# subject: plantuml-render
# outcome: failed
# needs: python3
# why: The tool runs a program that the image lacks; what the agent hears is a Python errno.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import subprocess
from mcp_stdio import serve

def render(source):
    p = subprocess.run(["plantuml-render", "-tsvg", "-pipe"], input=source.encode(), stdout=subprocess.PIPE)
    return p.stdout.decode()

serve({"render": render})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("python3", "server.py")
print(agent.text("render", source="@startuml\nA -> B\n@enduml\n"))
END
python3 agent.py
