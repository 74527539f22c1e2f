#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tolerated-own-file-size
# report: own
# expect: none
# subject: big.bin
# outcome: ok
# needs: python3
# why: A test sets itself a limit of file sizes and sees that a write beyond it fails.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >check.py <<'EOF'
import errno, resource
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
with open("big.bin", "wb", buffering=0) as f:
    f.write(bytes(4096))
    try:
        f.write(b"x")
        raise SystemExit("no limit")
    except OSError as e:
        assert e.errno == errno.EFBIG
print("ok")
EOF
python3 check.py
