#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-traversal-encoded
# report: own
# expect: level=interface primitive=path cause=traversal
# subject: secrets.env
# outcome: ok
# needs: python3
# why: The tool looks for ".." before it decodes the path, so %2e%2e leads out of its directory.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
mkdir workspace
echo 'token = 1234' >secrets.env
cat >server.py <<'END'
import urllib.parse
from mcp_stdio import serve


def read_file(path):
    if ".." in path:
        raise PermissionError("outside")
    with open(urllib.parse.unquote(path)) as f:
        return f.read()


serve({"read_file": read_file})
END
cat >agent.py <<'END'
import os
from mcp_stdio import Client

agent = Client("python3", os.path.abspath("server.py"), cwd="workspace")
print(agent.text("read_file", path="%2e%2e/secrets.env"))
agent.close()
END
python3 agent.py
