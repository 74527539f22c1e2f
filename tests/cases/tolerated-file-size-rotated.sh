#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tolerated-file-size-rotated
# report: own
# expect: none
# subject: app.log
# outcome: ok
# needs: python3 prlimit
# why: A log reaches RLIMIT_FSIZE, the program rotates it and goes on.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >log.py <<'EOF'
import os
line, n = b"x" * 1023 + b"\n", 0
f = open("app.log.0", "wb", buffering=0)
for i in range(100):
    try:
        if f.write(line) != len(line):
            raise OSError(27, "short")
    except OSError:
        n += 1
        f.close(); f = open("app.log.%d" % n, "wb", buffering=0); f.write(line)
print("rotated", n)
EOF
prlimit --fsize=32768 python3 log.py
