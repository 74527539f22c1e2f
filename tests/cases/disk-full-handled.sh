#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: disk-full-handled
# report: own
# expect: none
# subject: scratch/block
# outcome: ok
# needs: unshare python3
# why: The scratch volume is full, and the program spills to another one.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
mkdir scratch
unshare -m true || exit 77
cat >spill.py <<'EOF'
import os

for place in ("scratch/block", "block"):
    try:
        with open(place, "wb") as f:
            f.write(bytes(1000000))
        break
    except OSError as e:
        print(place, e.strerror)
        os.unlink(place)
print(os.path.getsize(place), "bytes in", place)
EOF
unshare -m sh -c 'mount -t tmpfs -o size=256k none scratch && python3 spill.py'
