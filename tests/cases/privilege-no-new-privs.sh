#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: privilege-no-new-privs
# report: own
# expect: level=sandbox primitive=privilege cause=no-new-privs
# outcome: failed
# needs: cc setpriv
# why: A set-user-id helper gains nothing under no_new_privs and is then refused the file that it is there for.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
echo s >secret
chmod 600 secret
cp /bin/cat helper
chmod 4755 helper
setpriv --reuid=48217 --regid=48217 --clear-groups --no-new-privs ./helper secret
