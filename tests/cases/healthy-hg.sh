#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-hg
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: hg
# why: A repository is made, changed, branched, merged and cloned.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
export HOME="$d" HGUSER=case HGPLAIN=1
hg init repo
cd repo
echo 1 >f
hg add f
hg commit -m 1
echo 2 >>f
hg commit -m 2
hg update -q 0
echo 3 >g
hg commit -q -A -m 3
hg merge -q
hg commit -m merged
hg log --template '{rev} {desc}\n'
hg clone -q . ../clone
! hg cat absent 2>/dev/null
