#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-nano
# report: healthy
# expect: none
# outcome: ok
# needs: nano script
# why: An editor in a terminal of its own is left at once.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
export HOME="$d" TERM=xterm
echo text >f
(sleep 0.5; printf '\030') | timeout 5 script -qec 'nano -I f' /dev/null >screen
grep -c GNU screen
