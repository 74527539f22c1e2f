#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-hang-read-only
# report: own
# expect: level=sandbox primitive=read-only cause=mount
# subject: out/lock
# outcome: failed
# needs: python3 bwrap
# why: The tool tries for its lock on a read-only mount over and over, until the agent gives up.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
mkdir out
echo '{}' >report.json
bwrap --dev-bind / / true || exit 77
cat >server.py <<'END'
import os
import time
from mcp_stdio import serve

def index(path):
    while True:
        try:
            return str(os.open("out/lock", os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        except OSError:
            time.sleep(0.2)

serve({"index": index, "version": lambda: "1"})
END
cat >agent.py <<'END'
import os
from mcp_stdio import Client

out = os.path.abspath("out")
agent = Client("bwrap", "--dev-bind", "/", "/", "--ro-bind", out, out, "--", "python3", "server.py")
agent.text("version")
agent.call("index", seconds=2, path=".")
END
python3 agent.py
