#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: library-shared-object
# report: own
# expect: level=sandbox primitive=library cause=shared-object
# subject: libcasefoo.so
# outcome: failed
# needs: cc
# why: A program's shared library is not in the image.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
echo 'int f(void) { return 1; }' >f.c
echo 'int f(void); int main(void) { return f(); }' >a.c
cc -shared -fPIC -Wl,-soname,libcasefoo.so.3 -o libcasefoo.so f.c && cc -o tool a.c -L. -lcasefoo || exit 77
rm libcasefoo.so
./tool
