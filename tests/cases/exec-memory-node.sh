#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: exec-memory-node
# report: own
# expect: level=sandbox primitive=exec-memory cause=denied
# outcome: failed
# needs: cc node
# why: A launcher sets PR_SET_MDWE and starts Node, whose compiler cannot work.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >mdwe.c <<'EOF'
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(int argc, char **argv) {
    if (prctl(65 /* PR_SET_MDWE */, 1, 0, 0, 0)) { perror("PR_SET_MDWE"); return 77; }
    execvp(argv[1], argv + 1);
    return 127;
}
EOF
cc -o mdwe mdwe.c || exit 77
ulimit -c 0
./mdwe node -e 'console.log(1)'
