#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-clang
# report: healthy
# expect: none
# outcome: ok
# needs: clang
# why: clang looks for a gcc of many versions; the program builds and runs.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
echo 'int main(void) { return 0; }' >a.c
clang -O2 -Wall -o tool a.c && ./tool
