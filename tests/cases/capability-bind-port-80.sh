#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: capability-bind-port-80
# report: own
# expect: level=sandbox primitive=capability cause=missing
# subject: CAP_NET_BIND_SERVICE
# outcome: failed
# needs: setpriv node unshare
# why: A server of an ordinary user wants port 80 in a network namespace where that takes a capability.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
unshare -n true || exit 77
cat >server.js <<'EOF'
require('http').createServer().listen(80, '127.0.0.1');
EOF
unshare -n setpriv --reuid=48217 --regid=48217 --clear-groups node server.js
