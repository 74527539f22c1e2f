#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: inotify-polling-fallback
# report: own
# expect: none
# subject: inotify_init
# outcome: ok
# needs: python3 setpriv
# why: No inotify instance is left, so the watcher polls.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
cat >watch.py <<'EOF'
import ctypes, os

libc = ctypes.CDLL(None, use_errno=True)
while libc.inotify_init1(0o2000000) >= 0:
    pass
print("polling since", os.stat(".").st_mtime_ns)
EOF
setpriv --reuid=$((400000 + $$)) --regid=48217 --clear-groups python3 watch.py
