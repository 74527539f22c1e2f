#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: memory-locked-ignored
# report: own
# expect: none
# subject: mlock
# outcome: ok
# needs: cc setpriv prlimit
# why: A program would like to lock its pages, warns and goes on.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
cat >keep.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
int main(void) {
    void *p = malloc(1 << 20);
    if (mlock(p, 1 << 20)) perror("warning: mlock");
    return 0;
}
EOF
cc -o keep keep.c || exit 77
prlimit --memlock=65536 setpriv --reuid=48217 --regid=48217 --clear-groups ./keep
