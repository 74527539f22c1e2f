#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-server-oom
# report: MoonshotAI/kimi-code#2109
# expect: level=sandbox primitive=memory cause=oom-cgroup
# subject: limited-case
# outcome: failed
# needs: python3
# why: The server loads more than its cgroup holds and is killed in the midst of a call; the client only sees an end.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
. "$here/lib/limit.sh"
cat >server.py <<'END'
from mcp_stdio import serve

def load(megabytes):
    rows = [bytearray(b"x" * (1 << 20)) for _ in range(megabytes)]
    return "%d rows" % len(rows)

serve({"load": load})
END
cat >agent.py <<'END'
import sys
from mcp_stdio import Client

agent = Client(*sys.argv[1:])
print(agent.text("load", megabytes=8))
print(agent.text("load", megabytes=400))
END
cat >server.sh <<END
. "$here/lib/limit.sh"
in_limited_cgroup memory=64M -- python3 server.py
END
python3 agent.py sh server.sh
