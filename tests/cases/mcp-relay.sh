#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-relay
# report: healthy
# expect: none
# outcome: ok
# needs: python3 socat
# why: Between client and server stands a relay, as a container engine's is: every byte passes two pairs of pipes.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
from mcp_stdio import serve

serve({"add": lambda a, b: str(a + b)})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("socat", "STDIO", "EXEC:python3 server.py")
print([agent.text("add", a=n, b=1) for n in range(10)])
agent.close()
END
python3 agent.py
