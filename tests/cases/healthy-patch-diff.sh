#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-patch-diff
# report: healthy
# expect: none
# outcome: ok
# needs: patch diff
# why: A patch is made, applied, refused the second time and taken back.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
mkdir a b
seq 1 10 >a/f
sed s/5/five/ a/f >b/f
diff -u a/f b/f >p || true
patch -s -d a -p1 <p
patch -s -N -r - -d a -p1 <p >/dev/null || echo 'applied before'
patch -s -R -d a -p1 <p
seq 1 10 | cmp - a/f
