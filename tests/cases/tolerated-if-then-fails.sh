#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tolerated-if-then-fails
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: bash setpriv
# why: A refused directory decides an if, then a program has a bug.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
cat >build.sh <<'EOF'
if mkdir /srv/cache; then echo 'with a cache'; else echo 'without a cache'; fi
python3 -c 'raise ValueError(42)'
EOF
setpriv --reuid=48217 --regid=48217 --clear-groups bash build.sh
