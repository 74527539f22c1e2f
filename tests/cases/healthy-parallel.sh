#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-parallel
# report: healthy
# expect: none
# subject: /bin/sh
# outcome: ok
# needs: parallel
# why: Jobs are run two at a time, one of them fails and is counted.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
command -v parallel >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
export HOME="$d"
mkdir -p .parallel && touch .parallel/will-cite
seq 6 | parallel -j2 echo {} | sort | tail -n 1
seq 3 | parallel -j2 'test {} != 2'
echo "$? failed"
