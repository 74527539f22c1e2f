#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: masked-dev-shm
# report: own
# expect: level=sandbox primitive=masked cause=device
# subject: /dev/shm
# outcome: failed
# needs: bwrap python3
# why: The sandbox's /dev has no /dev/shm for a shared memory segment.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
cat >segment.py <<'EOF'
from multiprocessing import shared_memory

shared_memory.SharedMemory(create=True, size=4096)
EOF
bwrap --bind / / --tmpfs /dev --dev-bind /dev/urandom /dev/urandom --dev-bind /dev/null /dev/null python3 segment.py
