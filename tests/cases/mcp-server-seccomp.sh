#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-server-seccomp
# report: own
# expect: level=sandbox primitive=seccomp cause=killed
# subject: symlink
# outcome: failed
# needs: python3 cc
# why: A filter kills the server at a call that its profile does not know; the request stays open.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
. "$here/lib/filter.sh"
make_filter
cat >server.py <<'END'
import os
from mcp_stdio import serve

def publish(version):
    os.symlink(version, "current")
    return "published " + version

serve({"publish": publish, "versions": lambda: "1.0, 1.1"})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("./filter", "kill", "symlink", "symlinkat", "--", "python3", "server.py")
print(agent.text("versions"))
print(agent.text("publish", version="1.1"))
END
python3 agent.py
