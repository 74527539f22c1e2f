#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: map-count-mmap
# report: own
# expect: level=sandbox primitive=memory cause=map-count
# subject: mmap
# outcome: failed
# needs: cc
# why: A process has vm.max_map_count mappings and gets no more, though memory abounds.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
if [ "$(cat /proc/sys/vm/max_map_count)" -gt 200000 ]; then
    echo 'vm.max_map_count is too high here' >&2
    exit 77
fi
cat >map.c <<'EOF'
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
int main(void) {
    for (long i = 0; i < 2000000; i++) { /* neighbours differ, else the kernel would join them */
        int prot = i & 1 ? PROT_READ : PROT_NONE;
        if (mmap(0, 4096, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) {
            perror("mmap");
            return 1;
        }
    }
    return 0;
}
EOF
cc -o map map.c || exit 77
./map
