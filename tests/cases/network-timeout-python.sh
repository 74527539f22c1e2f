#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: network-timeout-python
# report: own
# expect: level=sandbox primitive=network cause=timeout
# subject: 10.8.0.1:443
# outcome: failed
# needs: python3 unshare ip
# why: Packets vanish, and the program gives up after a second.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/dead-network.sh"
cat >client.py <<'EOF'
import socket

socket.create_connection(("10.8.0.1", 443), 0.6)
EOF
in_dead_network python3 client.py
