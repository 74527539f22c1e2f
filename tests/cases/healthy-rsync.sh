#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-rsync
# report: healthy
# expect: none
# outcome: ok
# needs: rsync
# why: A tree is mirrored, mirrored again and pruned.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
mkdir -p a/b/c
seq 1 1000 >a/b/c/f
ln -s f a/b/c/l
rsync -a a/ b/
echo more >>a/b/c/f
touch b/extra
rsync -a --delete --checksum a/ b/
diff -r a b
rsync -an --stats a/ c/ | head -n 3
