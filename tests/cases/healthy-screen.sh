#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-screen
# report: healthy
# expect: none
# outcome: ok
# needs: screen
# why: A detached session is made, listed and ended.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
command -v screen >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
export HOME="$d" SCREENDIR="$d/s" TERM=xterm SHELL=/bin/sh
mkdir -m 700 s
screen -c /dev/null -dmS case sh -c 'echo hello; cat'
n=0
until screen -ls | grep case >/dev/null; do
    [ $((n += 1)) -le 100 ] || exit 1
    sleep 0.05
done
screen -S case -X quit
