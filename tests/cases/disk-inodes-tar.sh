#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: disk-inodes-tar
# report: own
# expect: level=sandbox primitive=disk cause=inodes
# subject: scratch/
# outcome: failed
# needs: unshare tar
# why: A tmpfs has space and no inodes left when an archive is unpacked.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
mkdir scratch source
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo $i >source/$i; done
tar -cf source.tar source
unshare -m true || exit 77
unshare -m sh -c 'mount -t tmpfs -o size=1m,nr_inodes=8 none scratch && tar -C scratch -xf source.tar'
