#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: capability-bind-fallback
# report: own
# expect: none
# subject: bind
# outcome: ok
# needs: setpriv python3 unshare
# why: Port 80 is refused to an ordinary user, and the server takes 8080 instead.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
unshare -n true || exit 77
cat >server.py <<'EOF'
import socket

server = socket.socket()
for port in (80, 8080):
    try:
        server.bind(("127.0.0.1", port))
        break
    except PermissionError as e:
        print(port, e)
print("on port", server.getsockname()[1])
EOF
unshare -n setpriv --reuid=48217 --regid=48217 --clear-groups python3 server.py
