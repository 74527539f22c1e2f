#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-wrong-directory
# report: warpdotdev/warp#9239
# expect: level=interface primitive=path cause=wrong-directory
# subject: src/main.py
# outcome: failed
# needs: python3
# why: The server was started in another directory than the agent's, so a path relative to the agent's names nothing.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
mkdir -p project/src elsewhere
echo 'print("hello")' >project/src/main.py
cat >server.py <<'END'
from mcp_stdio import serve

def read_file(path):
    with open(path) as f:
        return f.read()

serve({"read_file": read_file})
END
cat >agent.py <<'END'
import os
from mcp_stdio import Client

top = os.path.dirname(os.path.abspath(__file__))
agent = Client("python3", top + "/server.py", cwd=top + "/elsewhere")
print(agent.text("read_file", path="src/main.py"))
END
cd project && python3 ../agent.py
