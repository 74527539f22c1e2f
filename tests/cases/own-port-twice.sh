#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: own-port-twice
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3
# why: The program holds the port itself that it wants a second time.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >serve.py <<'EOF'
import socket

first = socket.create_server(("127.0.0.1", 0))
second = socket.socket()
second.bind(first.getsockname())
EOF
python3 serve.py
