#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: own-server-gone
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3
# why: The port was the task's own, and its server has gone.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >client.py <<'EOF'
import socket

server = socket.create_server(("127.0.0.1", 0))
address = server.getsockname()
client = socket.create_connection(address)
peer, _ = server.accept()
client.close()
peer.close()
server.close()
socket.create_connection(address)
EOF
python3 client.py
