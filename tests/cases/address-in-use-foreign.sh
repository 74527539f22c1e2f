#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: address-in-use-foreign
# report: own
# expect: level=sandbox primitive=network cause=address-in-use
# subject: 127.0.0.1:
# outcome: failed
# needs: python3 awk
# why: A process outside of the task holds the port.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/outside.sh"
[ "$(id -u)" = 0 ] || exit 77
cat >neighbour.py <<'EOF'
import socket, time

service = socket.create_server(("127.0.0.1", 0))
print(service.getsockname()[1], flush=True)
time.sleep(10)
EOF
outside python3 neighbour.py >port & p=$!
trap 'kill "$p" 2>/dev/null; rm -rf "$d"' EXIT
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -s port ] && break; sleep 0.1; done
[ -s port ] || exit 77
python3 -m http.server -b 127.0.0.1 "$(cat port)"
