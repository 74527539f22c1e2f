#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-disk-images
# report: healthy
# expect: none
# outcome: ok
# needs: mke2fs debugfs mkfs.vfat mcopy
# why: File system images are made, filled and checked without being mounted.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
mkdir tree
echo hello >tree/f
truncate -s 8M e2
mke2fs -q -F -d tree e2
e2fsck -f -n e2 >/dev/null 2>&1
debugfs -R 'cat f' e2 2>/dev/null
truncate -s 4M fat
mkfs.vfat fat >/dev/null
mcopy -i fat tree/f ::f.txt
mdir -b -i fat
