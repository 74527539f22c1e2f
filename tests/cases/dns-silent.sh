#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: dns-silent
# report: own
# expect: level=sandbox primitive=network cause=dns
# subject: 10.200.0.53
# outcome: failed
# needs: bwrap python3 ip
# why: The name server never answers.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/dead-network.sh"
conf=$(readlink -f /etc/resolv.conf) && [ -f "$conf" ] || exit 77
printf 'nameserver 10.200.0.53\noptions timeout:1 attempts:1\n' >resolv.conf
cat >client.py <<'EOF'
import socket

socket.getaddrinfo("db.example.test", 5432)
EOF
in_dead_network bwrap --dev-bind / / --ro-bind "$d/resolv.conf" "$conf" python3 client.py
