#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: memory-locked-mmap
# report: own
# expect: level=sandbox primitive=memory cause=locked
# subject: mmap
# outcome: failed
# needs: cc setpriv prlimit
# why: mmap with MAP_LOCKED at RLIMIT_MEMLOCK is EAGAIN, the errno of a fork at its limits.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
cat >ring.c <<'EOF'
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
int main(void) {
    void *p = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED, -1, 0);
    if (p != MAP_FAILED) return 0;
    perror("ring: mmap");
    return 1;
}
EOF
cc -o ring ring.c || exit 77
prlimit --memlock=65536 setpriv --reuid=48217 --regid=48217 --clear-groups ./ring
