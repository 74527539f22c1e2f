#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: header-missing
# report: own
# expect: level=workload primitive=exit cause=missing-file
# outcome: failed
# needs: gcc
# why: A header of the project is not there; the compiler's own search is no missing library.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
echo '#include "case-local.h"' >a.c
gcc -c a.c
