#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: exec-memory-fallback
# report: own
# expect: none
# subject: mmap
# outcome: ok
# needs: cc
# why: Executable memory is refused, so the program interprets.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >engine.c <<'EOF'
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
int main(void) {
    if (prctl(65 /* PR_SET_MDWE */, 1, 0, 0, 0)) { perror("PR_SET_MDWE"); return 77; }
    void *p = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    puts(p == MAP_FAILED ? "interpreting" : "compiling");
    return 0;
}
EOF
cc -o engine engine.c || exit 77
./engine
