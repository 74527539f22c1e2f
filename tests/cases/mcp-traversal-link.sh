#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-traversal-link
# report: cyanheads/filesystem-mcp-server#21
# expect: level=interface primitive=path cause=traversal
# subject: settings.env
# outcome: ok
# needs: python3
# why: The tool compares names alone, so a symbolic link inside of its directory leads out of it.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
mkdir -p workspace
echo 'token = 1234' >secrets.env
ln -s ../secrets.env workspace/settings.env
cat >server.py <<'END'
import os
import sys
from mcp_stdio import serve

root = sys.argv[1]

def read_file(path):
    full = os.path.normpath(os.path.join(root, path))
    if not full.startswith(root + "/"):
        raise PermissionError("outside of " + root)
    with open(full) as f:
        return f.read()

serve({"read_file": read_file})
END
cat >agent.py <<'END'
import os
from mcp_stdio import Client

workspace = os.path.abspath("workspace")
agent = Client("python3", os.path.abspath("server.py"), workspace, cwd=workspace)
print(agent.text("read_file", path="settings.env"))
agent.close()
END
python3 agent.py
