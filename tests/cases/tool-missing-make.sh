#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tool-missing-make
# report: own
# expect: level=sandbox primitive=binary cause=not-found
# subject: case-cc
# outcome: failed
# needs: make
# why: make starts a compiler that is not in the image, by itself and without a shell.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
printf 'all:\n\tcase-cc -o a a.c\n' >Makefile
make
