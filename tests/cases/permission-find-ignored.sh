#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: permission-find-ignored
# report: own
# expect: none
# subject: tree/private
# outcome: ok
# needs: setpriv find
# why: find cannot read one directory, at the head of a pipeline whose end is well.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
mkdir -p tree/public tree/private
touch tree/public/a tree/private/b
chmod 700 tree/private
setpriv --reuid=48217 --regid=48217 --clear-groups sh -c 'find tree -type f 2>/dev/null | wc -l'
