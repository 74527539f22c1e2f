#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-postgres
# report: healthy
# expect: none
# outcome: ok
# needs: postgres initdb
# why: A cluster is made, started, asked over its socket and stopped.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
command -v /usr/lib/postgresql/*/bin/postgres >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
bin=$(dirname "$(ls -d /usr/lib/postgresql/*/bin/postgres | tail -n 1)")
chmod 0711 "$d"
mkdir data run
chown 65534:65534 data run
as() { setpriv --reuid=65534 --regid=65534 --clear-groups env -u PGHOST HOME="$d" LC_ALL=C "$@"; }
as "$bin/initdb" -D data -U case -A trust --no-sync >log
as "$bin/pg_ctl" -D data -w -s -l run/server.log -o "-c listen_addresses='' -k $d/run -c fsync=off" start
sql() { as "$bin/psql" -h "$d/run" -U case -d postgres -qAt -c "$1"; }
sql 'CREATE TABLE t (a int PRIMARY KEY); INSERT INTO t SELECT generate_series(1, 1000); SELECT sum(a) FROM t'
sql 'INSERT INTO t VALUES (1)' 2>/dev/null || echo 'a duplicate'
as "$bin/pg_ctl" -D data -w -s -m fast stop
