#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-sort-big
# report: healthy
# expect: none
# outcome: ok
# needs: sort uniq split join comm
# why: Data that does not fit the memory allowed goes through temporary files.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
seq 300000 -1 1 >a
sort -n -S 1M --parallel=2 -T "$d" a >b
sort -c -n b
uniq -c b | wc -l
split -l 100000 b part
cat part?? | cmp - b
join b b | wc -l
comm -12 part?? 2>/dev/null | wc -l || true
