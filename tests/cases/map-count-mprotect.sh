#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: map-count-mprotect
# report: own
# expect: level=sandbox primitive=memory cause=map-count
# subject: mprotect
# outcome: failed
# needs: cc
# why: An allocator with guard pages splits its mapping until vm.max_map_count is reached.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
if [ "$(cat /proc/sys/vm/max_map_count)" -gt 200000 ]; then
    echo 'vm.max_map_count is too high here' >&2
    exit 77
fi
cat >guard.c <<'EOF'
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#define PAGES 400000L
int main(void) {
    char *p = mmap(0, PAGES * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (long i = 0; i < PAGES; i += 2)
        if (mprotect(p + i * 4096, 4096, PROT_NONE)) {
            perror("mprotect");
            return 1;
        }
    return 0;
}
EOF
cc -o guard guard.c || exit 77
./guard
