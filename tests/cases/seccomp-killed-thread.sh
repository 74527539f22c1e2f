#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: seccomp-killed-thread
# report: own
# expect: level=sandbox primitive=seccomp cause=killed
# outcome: failed
# needs: cc
# why: The filter kills one worker thread, which raises no signal; the others live on and miss its result.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/filter.sh"
cat >pool.c <<'EOF'
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
static int done;
static void *work(void *p) {
    mkdir("out", 0700);
    done = 1;
    return p;
}
int main(void) {
    pthread_t t;
    if (pthread_create(&t, 0, work, 0)) return 1;
    usleep(200000); /* to join it would wait forever */
    if (done) return 0;
    fprintf(stderr, "worker gave no result\n");
    return 1;
}
EOF
cc -o pool pool.c -lpthread || exit 77
make_filter
./filter thread mkdir mkdirat -- ./pool
