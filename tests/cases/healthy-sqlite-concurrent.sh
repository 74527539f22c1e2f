#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-sqlite-concurrent
# report: healthy
# expect: none
# outcome: ok
# needs: python3 sqlite3
# why: Four writers on one database wait for one another.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
sqlite3 t.db 'PRAGMA journal_mode = wal; CREATE TABLE t(a);' >/dev/null
for i in 1 2 3 4; do
    (for j in 1 2 3 4 5; do sqlite3 -cmd '.timeout 3000' t.db "INSERT INTO t VALUES($i$j)"; done) &
done
wait
sqlite3 t.db 'SELECT count(*) FROM t'
