#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-connect-seccomp
# report: own
# expect: level=sandbox primitive=seccomp cause=denied
# subject: socket
# outcome: failed
# needs: python3 cc
# why: The fetch tool may make no sockets: the filter answers EACCES, and the tool hands that on.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
. "$here/lib/filter.sh"
make_filter
cat >server.py <<'END'
import urllib.request
from mcp_stdio import serve

serve({"fetch": lambda url: urllib.request.urlopen(url, timeout=5).read().decode()})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("./filter", "EACCES", "socket", "--", "python3", "server.py")
print(agent.text("fetch", url="http://127.0.0.1:9/prices.json"))
END
python3 agent.py
