#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-socat
# report: healthy
# expect: none
# outcome: ok
# needs: socat
# why: Streams over sockets of several kinds, a listener that serves one client and ends.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
socat UNIX-LISTEN:sock EXEC:cat &
n=0
until [ -S sock ]; do
    [ $((n += 1)) -le 100 ] || exit 1
    sleep 0.05
done
echo hello | socat -t 1 - UNIX-CONNECT:sock
wait
echo pty | socat -u - EXEC:cat,pty,echo=0,raw 2>/dev/null || true
socat -u FILE:/dev/null CREATE:made
test -e made
