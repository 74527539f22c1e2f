#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-make
# report: healthy
# expect: none
# outcome: ok
# needs: gcc make
# why: A small project with a library, an optional include and a test.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
echo 'int add(int, int);' >add.h
printf '#include "add.h"\nint add(int a, int b) { return a + b; }\n' >add.c
printf '#include <stdio.h>\n#include "add.h"\nint main(void) { printf("%%d\\n", add(2, 3)); return 0; }\n' >main.c
sed 's/^    /\t/' >Makefile <<'EOF'
CFLAGS = -O2 -Wall
app: main.o libadd.a
    $(CC) -o $@ main.o -L. -ladd
libadd.a: add.o
    ar rcs $@ $^
-include local.mk
check: app
    test "`./app`" = 5
.PHONY: check
EOF
make -j3 check && make -q app && make -n >/dev/null
