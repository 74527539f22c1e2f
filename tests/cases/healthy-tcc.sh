#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-tcc
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: tcc
# why: A small compiler searches its include and library directories, runs a program from memory and makes one.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
cat >hello.c <<'END'
#include <stdio.h>
int main(int argc, char **argv) { printf("hello %d\n", argc); return argc > 2; }
END
tcc -run hello.c one
tcc -o hello hello.c
./hello
! tcc -o broken -Dmain=1 hello.c 2>/dev/null
