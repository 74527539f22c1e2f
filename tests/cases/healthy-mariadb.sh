#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-mariadb
# report: healthy
# expect: none
# outcome: ok
# needs: mariadbd
# why: A database server runs its start-up script and stops.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
mkdir data tmp
printf '%s;\n' 'CREATE DATABASE mysql' 'USE mysql' >boot.sql
cat /usr/share/mysql/mysql_system_tables.sql /usr/share/mysql/mysql_system_tables_data.sql >>boot.sql
printf '%s;\n' 'CREATE DATABASE c' 'CREATE TABLE c.t (a int)' 'INSERT INTO c.t VALUES (1)' >>boot.sql
mariadbd --no-defaults --bootstrap --datadir="$d/data" --tmpdir="$d/tmp" --user=root --innodb-flush-method=fsync \
    --log-warnings=0 <boot.sql >log 2>&1
test -e data/c/t.frm
