#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-sqlite-wal
# report: healthy
# expect: none
# outcome: ok
# needs: sqlite3
# why: A database in write-ahead mode is filled, checked, backed up and dumped; a constraint refuses a row.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
sqlite3 a.db 'PRAGMA journal_mode = WAL; CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT UNIQUE);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO t SELECT i, hex(i) FROM n;'
sqlite3 a.db "INSERT INTO t (b) VALUES (hex(1))" 2>/dev/null || echo 'a duplicate'
sqlite3 a.db '.backup b.db'
sqlite3 b.db 'PRAGMA integrity_check; VACUUM;'
sqlite3 b.db .dump | sqlite3 c.db
sqlite3 -readonly c.db 'SELECT count(*) FROM t'
sqlite3 'file:absent.db?mode=ro' 'SELECT 1 FROM t' 2>/dev/null || echo none
