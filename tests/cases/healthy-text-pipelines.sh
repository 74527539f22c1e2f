#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-text-pipelines
# report: healthy
# expect: none
# outcome: ok
# needs: sed awk sort
# why: sort, uniq, comm, paste and sed in pipelines.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
seq 1 20000 | awk '{ print $1 % 97, $1 }' | sort -k1,1n | uniq -c -w2 | sed -n '1,5p'
sort -u /etc/passwd >p
comm -3 p p
sed -i 's/root/toor/' p
awk -F: 'END { print NR }' p
seq 1 3 | tee a b | paste - a | head -n 1
