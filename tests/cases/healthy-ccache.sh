#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-ccache
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: ccache gcc
# why: A compiler cache misses first and hits then.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
export HOME="$d" CCACHE_DIR="$d/cache"
echo 'int main(void) { return 0; }' >a.c
ccache gcc -c a.c
ccache gcc -c a.c
ccache -s >/dev/null
! ccache gcc -c absent.c 2>/dev/null
