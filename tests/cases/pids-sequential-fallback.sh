#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: pids-sequential-fallback
# report: own
# expect: none
# subject: clone3
# outcome: ok
# needs: python3
# why: Where no thread can be had the work is done one after the other.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/limit.sh"
cat >crawl.py <<'EOF'
import threading, time

def fetch():
    time.sleep(0.05)

alone = 0
for page in range(12):
    try:
        threading.Thread(target=fetch).start()
    except RuntimeError:
        fetch()
        alone += 1
print("one after the other:", alone)
EOF
in_limited_cgroup pids=6 -- python3 crawl.py
