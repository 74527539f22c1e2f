#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-gdb
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: gdb gcc
# why: A program is stopped, looked at and let go on.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
export HOME="$d" DEBUGINFOD_URLS=
printf '#include <stdio.h>\nint twice(int n) { return n * 2; }\nint main(void) { printf("%%d\\n", twice(21)); return 0; }\n' >a.c
gcc -g -o a a.c
gdb -q -batch -nx -ex 'break twice' -ex run -ex backtrace -ex 'print n' -ex continue ./a >log 2>&1
grep 'twice (n=21)' log
