#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: network-prohibited-route
# report: own
# expect: level=sandbox primitive=network cause=denied
# subject: 10.3.0.1:443
# outcome: failed
# needs: python3 unshare ip
# why: A route forbids the destination, and connect is EACCES although nobody looked at a file.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >client.py <<'EOF'
import socket

socket.create_connection(("10.3.0.1", 443), 2)
EOF
unshare -n sh -c 'ip link set lo up && ip route add prohibit 10.3.0.0/16' || exit 77
unshare -n sh -c 'ip link set lo up; ip route add prohibit 10.3.0.0/16; exec python3 client.py'
