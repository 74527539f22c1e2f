#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-awk-bc
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: awk bc dc sed
# why: Small languages compute and read a file that may be absent.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
awk 'BEGIN { while ((getline line < "absent") > 0) n++; print n + 0; "date +%Y" | getline y; print (y > 2000) }'
echo '2^64' | bc
echo '2 64 ^ p' | dc
seq 5 | sed -n '2,3p'
sed -i 's/x/y/' absent 2>/dev/null || echo none
