#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-fetch-unreachable
# report: own
# expect: level=sandbox primitive=network cause=unreachable
# subject: 192.0.2.7:80
# outcome: failed
# needs: python3 bwrap
# why: The fetch tool runs in a network namespace without a route; it says so in its answer.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
bwrap --dev-bind / / --unshare-net true || exit 77
cat >server.py <<'END'
import urllib.request
from mcp_stdio import serve

serve({"fetch": lambda url: urllib.request.urlopen(url, timeout=5).read().decode()})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("bwrap", "--dev-bind", "/", "/", "--unshare-net", "--", "python3", "server.py")
print(agent.text("fetch", url="http://192.0.2.7/prices.json"))
END
python3 agent.py
