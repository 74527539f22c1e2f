#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: disk-full-short-write
# report: own
# expect: level=sandbox primitive=disk cause=full
# subject: scratch/a
# outcome: failed
# needs: unshare cc
# why: A short write on a full disk has no errno: the program compares the count.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
mkdir scratch
unshare -m true || exit 77
cat >store.c <<'EOF'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static char block[200000];
int main(void) {
    int fd = open("scratch/a", O_WRONLY | O_CREAT, 0600);
    ssize_t n = write(fd, block, sizeof block);
    if (n == sizeof block) return 0;
    fprintf(stderr, "short write: %zd\n", n);
    return 1;
}
EOF
cc -o store store.c || exit 77
unshare -m sh -c 'mount -t tmpfs -o size=64k none scratch && ./store'
