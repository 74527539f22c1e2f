#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-nasm-ld
# report: healthy
# expect: none
# outcome: ok
# needs: nasm ld
# why: A program without a library is assembled, linked and looked at.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
command -v nasm >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
[ "$(uname -m)" = x86_64 ] || exit 77
cat >exit.asm <<'END'
global _start
section .text
_start: mov eax, 60
        xor edi, edi
        syscall
END
nasm -f elf64 exit.asm
ld -o exit exit.o
./exit
objdump -d exit | grep -c syscall
nm exit | wc -l
strip exit
./exit
