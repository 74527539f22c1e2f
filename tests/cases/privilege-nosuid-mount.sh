#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: privilege-nosuid-mount
# report: own
# expect: level=sandbox primitive=privilege cause=nosuid
# outcome: failed
# needs: cc setpriv unshare
# why: A set-user-id helper lies on a nosuid mount, gains nothing and is then refused its file.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
mkdir scratch
echo s >secret
chmod 600 secret
unshare -m true || exit 77
cat >step.sh <<'EOF'
mount -t tmpfs -o nosuid,mode=755 none scratch && cp /bin/cat scratch/helper && chmod 4755 scratch/helper || exit 77
setpriv --reuid=48217 --regid=48217 --clear-groups ./scratch/helper secret
EOF
unshare -m sh step.sh
