#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: address-space-smaller-buffer
# report: own
# expect: none
# subject: mmap
# outcome: ok
# needs: cc prlimit
# why: RLIMIT_AS refuses the large buffer, a smaller one does.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >buffer.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    size_t n = 1 << 30;
    char *p;
    while (!(p = malloc(n)) && n > 4096) n /= 2;
    memset(p, 1, 4096);
    printf("buffer of %zu\n", n);
    return 0;
}
EOF
cc -O0 -o buffer buffer.c || exit 77
prlimit --as=300000000 ./buffer
