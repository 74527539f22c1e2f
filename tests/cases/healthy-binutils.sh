#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-binutils
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: gcc objdump readelf ldd nm size strings
# why: Binaries are looked at; a library is found by a path of its own.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
echo 'int f(void) { return 0; }' >f.c
echo 'int f(void); int main(void) { return f(); }' >m.c
mkdir lib
gcc -shared -fPIC -o lib/libf.so f.c
gcc -o m m.c -Llib -lf -Wl,-rpath,'$ORIGIN/lib'
./m
ldd m
readelf -d m | grep -c NEEDED
objdump -p lib/libf.so | grep -c SONAME || true
LD_LIBRARY_PATH=/no/such/directory:$d/lib ./m
LD_PRELOAD=$d/lib/libf.so true
