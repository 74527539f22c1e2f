#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: crlf-socket-name
# report: own
# expect: level=interface primitive=encoding cause=crlf
# subject: app.sock\r
# outcome: failed
# needs: python3
# why: The name of a socket came from a file with Windows line ends and ends in a carriage return.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >client.py <<'EOF'
import socket

service = socket.socket(socket.AF_UNIX)
service.bind("app.sock")
service.listen()
socket.socket(socket.AF_UNIX).connect("app.sock\r")
EOF
python3 client.py
