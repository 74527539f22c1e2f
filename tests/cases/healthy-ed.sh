#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-ed
# report: healthy
# expect: none
# outcome: ok
# needs: ed
# why: The standard editor changes a file and starts a new one.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
seq 1 5 >f
printf '2s/2/two/\nw\nq\n' | ed -s f
printf 'a\nhello\n.\nw\nq\n' | ed -s new 2>/dev/null
cat f new
