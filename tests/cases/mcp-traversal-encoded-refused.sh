#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-traversal-encoded-refused
# report: own
# expect: none
# outcome: ok
# needs: python3
# why: A tool that decodes the path first refuses an encoded "..", and one that does not decode it finds no such file: the agent takes either for a no.
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
    if path.startswith("raw:"):
        path = path[4:]
    else:
        path = urllib.parse.unquote(path)
    if ".." in path:
        raise PermissionError("outside")
    with open(path) as f:
        return f.read()


serve({"read_file": read_file})
END
cat >agent.py <<'END'
import os
from mcp_stdio import Client, Refused

agent = Client("python3", os.path.abspath("server.py"), cwd="workspace")
for path in "%2e%2e/secrets.env", "raw:%2e%2e/secrets.env", "..\\secrets.env":
    try:
        agent.text("read_file", path=path)
    except Refused as e:
        print(e)
agent.close()
END
python3 agent.py
