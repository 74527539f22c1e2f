#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-traversal-dots
# report: yzfly/mcp-python-interpreter#10
# expect: level=interface primitive=path cause=traversal
# subject: secrets.env
# outcome: ok
# needs: python3
# why: The tool joins its directory and the argument without a look at `..`: a file outside of its tree is handed out.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
mkdir -p workspace
echo 'token = 1234' >secrets.env
cat >server.py <<'END'
import os
from mcp_stdio import serve

def read_file(path):
    with open(os.path.join(os.getcwd(), path)) as f:
        return f.read()

serve({"read_file": read_file})
END
cat >agent.py <<'END'
import os
from mcp_stdio import Client

agent = Client("python3", os.path.abspath("server.py"), cwd="workspace")
print(agent.text("read_file", path="../secrets.env"))
agent.close()
END
python3 agent.py
