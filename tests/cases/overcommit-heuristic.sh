#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: overcommit-heuristic
# report: own
# expect: level=sandbox primitive=memory cause=overcommit
# subject: mmap
# outcome: failed
# needs: python3
# why: A terabyte is refused by the overcommit heuristic, and no limit is set.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
if [ "$(cat /proc/sys/vm/overcommit_memory)" != 0 ]; then
    echo 'vm.overcommit_memory is not 0 here' >&2
    exit 77
fi
python3 -c 'table = bytearray(1 << 41)'
