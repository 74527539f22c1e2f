#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-ltrace
# report: healthy
# expect: none
# outcome: ok
# needs: ltrace gcc
# why: A program's library calls are followed.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
printf '#include <stdio.h>\nint main(void) { return fopen("absent", "r") != 0; }\n' >a.c
gcc -o a a.c
ltrace -o log ./a
grep -c exited log
