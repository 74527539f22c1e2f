#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: fds-cache-dropped
# report: own
# expect: none
# outcome: ok
# needs: python3 prlimit
# why: A cache of open files drops the oldest when no descriptor is left.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >cache.py <<'EOF'
cache = []
for i in range(100):
    try:
        cache.append(open("/etc/hostname"))
    except OSError:
        cache.pop(0).close()
        cache.append(open("/etc/hostname"))
print("open:", len(cache))
EOF
prlimit --nofile=24 python3 cache.py
