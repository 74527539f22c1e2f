#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-squashfs
# report: healthy
# expect: none
# outcome: ok
# needs: mksquashfs unsquashfs
# why: A file system image is made and unpacked without being mounted.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
mkdir -p tree/a/b
seq 1 1000 >tree/a/b/f
ln -s b tree/a/l
mksquashfs tree t.sqfs -quiet -no-progress
unsquashfs -no-progress -q -d out t.sqfs >/dev/null
diff -r tree out
