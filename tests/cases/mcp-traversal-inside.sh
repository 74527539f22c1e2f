#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-traversal-inside
# report: healthy
# expect: none
# outcome: ok
# needs: python3
# why: A path with `..` and a symbolic link that both stay inside of the server's directory.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
mkdir -p workspace/docs workspace/src
echo 'hello' >workspace/docs/readme.md
ln -s ../docs/readme.md workspace/src/readme.md
cat >server.py <<'END'
import os
import sys
from mcp_stdio import serve

def read_file(path):
    with open(os.path.join(sys.argv[1], path)) as f:
        return f.read()

serve({"read_file": read_file})
END
cat >agent.py <<'END'
import os
from mcp_stdio import Client

agent = Client("python3", "server.py", os.path.abspath("workspace"))
print(agent.text("read_file", path="src/../docs/readme.md"))
print(agent.text("read_file", path="src/readme.md"))
agent.close()
END
python3 agent.py
