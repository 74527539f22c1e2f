#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-make-recursive
# report: healthy
# expect: none
# outcome: ok
# needs: make gcc
# why: A recursive build with a job server; one target is allowed to fail.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
for i in 1 2 3 4; do
    mkdir "m$i"
    echo "int f$i(void) { return $i; }" >"m$i/f.c"
    printf 'f.o: f.c\n\t$(CC) -c -o $@ $<\nclean:\n\t-rm no-such-file 2>/dev/null\n' >"m$i/Makefile"
done
printf 'all: 1 2 3 4\n1 2 3 4:\n\t+$(MAKE) -C m$@ clean\n\t+$(MAKE) -C m$@ f.o\n.PHONY: all 1 2 3 4\n' >Makefile
make -j4 >log 2>&1
make -j2 -O >>log 2>&1
ls m?/f.o
