#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: architecture-by-make
# report: own
# expect: level=sandbox primitive=binary cause=architecture
# subject: tool-arm64
# outcome: failed
# needs: cc make
# why: make runs a program that is built for another machine, and then tries it with a shell.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
echo 'int main(void){return 0;}' >a.c; cc -o tool-arm64 a.c || exit 77
printf '\267\0' | dd of=tool-arm64 bs=1 seek=18 conv=notrunc 2>/dev/null
printf 'all:\n\t./tool-arm64 --gen\n' >Makefile
make
