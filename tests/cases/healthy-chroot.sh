#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-chroot
# report: healthy
# expect: none
# outcome: ok
# needs: chroot busybox
# why: A static shell works in a root of its own that has nearly nothing.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
mkdir -p root/bin root/tmp
cp "$(command -v busybox)" root/bin/
for p in sh ls cat sort seq; do ln -s busybox root/bin/$p; done
chroot root /bin/sh -c 'cd /tmp && seq 5 | sort -r >f && cat f && ls / && ls absent 2>/tmp/log || echo none'
