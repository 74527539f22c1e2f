#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-memcached
# report: healthy
# expect: none
# outcome: ok
# needs: memcached
# why: A cache on a socket is asked and ended by its client.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
command -v memcached >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
memcached -u root -s "$d/sock" &
server=$!
n=0
until [ -S sock ]; do
    [ $((n += 1)) -le 100 ] || exit 1
    sleep 0.05
done
printf 'set a 0 0 1\r\n1\r\nget a\r\nget absent\r\nquit\r\n' | socat - UNIX-CONNECT:sock
kill "$server"
wait "$server" || true
