#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tolerated-cat-then-fails
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: sh setpriv
# why: A refused file is forgiven, then the last command ends with 3.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
cat >build.sh <<'EOF'
cat /etc/shadow 2>/dev/null || echo 'no shadow'
sh -c 'exit 3'
EOF
setpriv --reuid=48217 --regid=48217 --clear-groups sh build.sh
