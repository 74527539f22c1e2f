#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-find-xargs
# report: healthy
# expect: none
# outcome: ok
# needs: find xargs
# why: Searches over /etc and /proc meet files that vanish or may not be read.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
find /etc -maxdepth 2 -name '*.conf' -print0 2>/dev/null | xargs -0 -n 20 -P 3 grep -l nameserver >/dev/null 2>&1 || true
find /proc/self/ -maxdepth 2 >/dev/null 2>&1 || true
seq 1 400000 | xargs echo | wc -c
