#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: readonly-sqlite-select
# report: own
# expect: none
# subject: app.db
# outcome: ok
# needs: bwrap sqlite3
# why: The same refused open, but a reader needs no more than a read-only handle.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
mkdir db
sqlite3 db/app.db 'CREATE TABLE t(a); INSERT INTO t VALUES(1);'
bwrap --dev-bind / / --ro-bind "$d/db" "$d/db" sqlite3 db/app.db 'SELECT count(*) FROM t;'
