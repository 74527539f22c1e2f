#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: readonly-sqlite-insert
# report: own
# expect: level=sandbox primitive=read-only cause=mount
# subject: app.db
# outcome: failed
# needs: bwrap sqlite3
# why: SQLite falls back to a read-only handle and then says that the database is read-only.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
mkdir db
sqlite3 db/app.db 'CREATE TABLE t(a); INSERT INTO t VALUES(1);'
bwrap --dev-bind / / --ro-bind "$d/db" "$d/db" sqlite3 db/app.db 'INSERT INTO t VALUES(2);'
