#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: pool-torn-down-by-bug
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3
# why: A pool is ended by SIGTERM after the program's own exception.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >squares.py <<'EOF'
from multiprocessing import Pool

def square(x):
    if x == 7:
        raise ValueError(x)
    return x * x

if __name__ == "__main__":
    with Pool(3) as pool:
        print(sum(pool.map(square, range(20))))
EOF
python3 squares.py
