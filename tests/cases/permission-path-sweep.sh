#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: permission-path-sweep
# report: own
# expect: level=sandbox primitive=file-permission cause=denied
# subject: /tool
# outcome: failed
# needs: setpriv env
# why: Every directory of PATH lets nobody in: one search, one failure.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
chmod 755 "$d"
mkdir -m 700 a b c e
dirs=$d/a:$d/b:$d/c:$d/e
exec setpriv --reuid=65534 --regid=65534 --clear-groups env "PATH=$dirs" tool
