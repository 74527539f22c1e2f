#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-server-term-then-restarted
# report: healthy
# expect: none
# outcome: ok
# needs: python3
# why: The client ends a server by SIGTERM between two calls, with nothing open, and starts it with other settings.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import sys
from mcp_stdio import serve

serve({"mode": lambda: sys.argv[1]})
END
cat >agent.py <<'END'
from mcp_stdio import Client

for mode in ("draft", "final"):
    agent = Client("python3", "server.py", mode)
    print(agent.text("mode"))
    agent.server.terminate()
    agent.server.wait()
END
python3 agent.py
