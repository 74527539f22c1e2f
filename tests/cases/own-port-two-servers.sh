#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: own-port-two-servers
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3 node
# why: Two servers of the same task want the same port.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >serve.py <<'EOF'
import socket, subprocess, sys

first = socket.create_server(("127.0.0.1", 0))
second = "require('http').createServer().listen(%d, '127.0.0.1')" % first.getsockname()[1]
sys.exit(subprocess.call(["node", "-e", second]))
EOF
python3 serve.py
