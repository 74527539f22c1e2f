#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-compressors
# report: healthy
# expect: none
# outcome: ok
# needs: xz zstd bzip2 gzip pigz cpio tar
# why: Streams through several compressors and back, with threads; one of them is damaged.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
seq 1 50000 >a
xz -T2 -k a
zstd -q -T2 a
bzip2 -k a
pigz -k a
for c in xz zstd bzip2 gzip; do $c -t a.* 2>/dev/null || true; done
xz -dc a.xz | cmp - a
zstd -qdc a.zst | cmp - a
bzip2 -dc a.bz2 | cmp - a
gzip -dc a.gz | cmp - a
find . -name 'a.*' | cpio --quiet -o >all.cpio
mkdir out
(cd out && cpio --quiet -id <../all.cpio)
tar --zstd -cf t.tar.zst out
tar -xf t.tar.zst -O out/a.xz | cmp - a.xz
