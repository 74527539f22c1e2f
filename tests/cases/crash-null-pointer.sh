#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: crash-null-pointer
# report: own
# expect: level=workload primitive=crash cause=signal
# outcome: failed
# needs: cc
# why: A null pointer is followed.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
echo 'int main(void) { return *(volatile int *)0; }' >a.c
cc -w -o tool a.c || exit 77
ulimit -c 0
./tool
