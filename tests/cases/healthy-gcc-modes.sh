#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-gcc-modes
# report: healthy
# expect: none
# outcome: ok
# needs: gcc ld
# why: An optimizing build with profiles, link-time optimization and sanitizers.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
printf '#include <stdlib.h>\nint main(int c, char **v) { char *p = malloc(10); p[0] = c; c = p[0] > 5; free(p); return c; }\n' >a.c
gcc -O2 -flto -o lto a.c
./lto
gcc -fsanitize=address,undefined -o san a.c
ASAN_OPTIONS=detect_leaks=0 ./san
gcc --coverage -o cov a.c
./cov
gcov cov-a.gcda >/dev/null
gcc -x c - -o absent -lno-such-library </dev/null 2>/dev/null || echo 'no such library'
