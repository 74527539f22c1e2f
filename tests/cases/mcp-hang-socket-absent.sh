#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-hang-socket-absent
# report: own
# expect: level=sandbox primitive=network cause=socket-absent
# subject: queue.sock
# outcome: failed
# needs: python3
# why: The tool waits for the socket of a service that was never started, until the agent gives up.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.py <<'END'
import socket
import time
from mcp_stdio import serve

def publish(message):
    s = socket.socket(socket.AF_UNIX)
    while s.connect_ex("/run/no-such-service/queue.sock"):
        time.sleep(0.2)
    return "published"

serve({"publish": publish})
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("python3", "server.py")
agent.call("publish", seconds=2, message="hello")
END
python3 agent.py
