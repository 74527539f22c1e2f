#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: inotify-instances-node
# report: own
# expect: level=sandbox primitive=quota cause=inotify-instances
# subject: inotify_init
# outcome: failed
# needs: python3 node setpriv
# why: Other programs of this user hold all inotify instances, and fs.watch fails.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
cat >others.py <<'EOF'
import ctypes, subprocess, sys

libc = ctypes.CDLL(None, use_errno=True)
while libc.inotify_init1(0o2000000) >= 0:
    pass
sys.exit(subprocess.call(["node", "-e", "require('fs').watch('.')"]))
EOF
setpriv --reuid=$((300000 + $$)) --regid=48217 --clear-groups python3 others.py
