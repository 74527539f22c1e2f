#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-redis
# report: healthy
# expect: none
# outcome: ok
# needs: redis-check-rdb redis-cli
# why: A server on a socket is filled, saved in the background and shut down.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
# Debian ships the server as another name of the checker, in the package of the tools.
ln -s "$(command -v redis-check-rdb)" redis-server
./redis-server --port 0 --unixsocket "$d/sock" --dir "$d" --daemonize no >log 2>&1 &
n=0
until redis-cli -s sock ping >/dev/null 2>&1; do
    [ $((n += 1)) -le 100 ] || exit 1
    sleep 0.05
done
redis-cli -s sock set a 1
redis-cli -s sock incr a
redis-cli -s sock bgsave
redis-cli -s sock shutdown save
wait
test -s dump.rdb
