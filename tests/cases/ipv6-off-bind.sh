#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: ipv6-off-bind
# report: own
# expect: level=sandbox primitive=network cause=address-family
# subject: ::1
# outcome: failed
# needs: python3 unshare
# why: IPv6 is switched off, so a server on ::1 is told that the address is not available.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
off='ip link set lo up && echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6 || exit 77'
unshare -n sh -c "$off" || exit 77
cat >server.py <<'EOF'
import socket

socket.create_server(("::1", 8080), family=socket.AF_INET6)
EOF
unshare -n sh -c "$off; exec python3 server.py"
