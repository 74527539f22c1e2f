#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-valgrind
# report: healthy
# expect: none
# outcome: ok
# needs: valgrind gcc
# why: A program with a leak is run under a checker.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
command -v valgrind >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
printf '#include <stdlib.h>\nint main(void) { return malloc(10) == 0; }\n' >a.c
gcc -g -o a a.c
valgrind -q --leak-check=full --log-file=log ./a
grep -c 'definitely lost' log
