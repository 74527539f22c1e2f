#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: network-timeout-mirror
# report: own
# expect: none
# outcome: ok
# needs: python3 unshare ip
# why: The first mirror never answers, the second one does.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/dead-network.sh"
cat >fetch.py <<'EOF'
import socket

second = socket.create_server(("127.0.0.1", 0))
for mirror in (("10.8.0.1", 443), second.getsockname()):
    try:
        socket.create_connection(mirror, 0.3)
        print("connected to", mirror)
        break
    except OSError as e:
        print(mirror, e)
EOF
in_dead_network python3 fetch.py
