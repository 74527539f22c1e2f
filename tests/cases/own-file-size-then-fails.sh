#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: own-file-size-then-fails
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3
# why: A limit that the program set itself is met and caught; then it fails for a reason of its own.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >check.py <<'EOF'
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
with open("big.bin", "wb", buffering=0) as f:
    f.write(bytes(4096))
    try:
        f.write(b"x")
    except OSError:
        pass
sys.exit("2 of 3 checks passed")
EOF
python3 check.py
