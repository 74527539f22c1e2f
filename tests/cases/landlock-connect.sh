#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: landlock-connect
# report: own
# expect: level=sandbox primitive=lsm cause=landlock
# subject: 127.0.0.1:
# outcome: failed
# needs: cc python3
# why: A Landlock rule refuses a TCP connect although somebody listens.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/confine.sh"
make_confine
cat >client.py <<'EOF'
import socket

service = socket.socket()
service.bind(("127.0.0.1", 0))
service.listen()
socket.create_connection(service.getsockname()).close()
EOF
./confine connect -- . python3 client.py
