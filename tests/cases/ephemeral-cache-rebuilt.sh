#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: ephemeral-cache-rebuilt
# report: own
# expect: none
# subject: openat
# outcome: ok
# needs: bwrap python3
# why: The first turn's cache is gone with its sandbox, and the second one builds it again.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
turn() { bwrap --ro-bind / / --dev /dev --tmpfs /tmp --chdir /tmp "$@"; }
program='
try:
    print("cached", open("/tmp/cache.txt").read())
except FileNotFoundError:
    open("/tmp/cache.txt", "w").write("v1")
    print("rebuilt")
'
turn python3 -c "$program" && turn python3 -c "$program"
