#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: pool-terminated
# report: own
# expect: none
# outcome: ok
# needs: python3
# why: A pool of processes is ended by SIGTERM after its work is done.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >squares.py <<'EOF'
from multiprocessing import Pool

def square(x):
    return x * x

if __name__ == "__main__":
    with Pool(3) as pool:
        print(sum(pool.map(square, range(100))))
EOF
python3 squares.py
