#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: privilege-setuid-works
# report: own
# expect: none
# outcome: ok
# needs: setpriv
# why: The same helper where nothing forbids it to gain its owner's rights.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
echo s >secret
chmod 600 secret
cp /bin/cat helper
chmod 4755 helper
setpriv --reuid=48217 --regid=48217 --clear-groups ./helper secret
