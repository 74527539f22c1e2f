#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: own-fault-after-retried-unshare
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: setpriv python3
# why: The namespaces are refused, are made within a user namespace, and the program fails by itself.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
chmod 755 "$d"
nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
$nobody unshare -U true || exit 77
cat >prog.py <<'EOF'
import ctypes
import sys

NEWNS, NEWUSER = 0x20000, 0x10000000
libc = ctypes.CDLL(None)
if libc.unshare(NEWNS) != 0:
    libc.unshare(NEWUSER)
    sys.exit(3 if libc.unshare(NEWNS) == 0 else 4)
EOF
$nobody python3 prog.py
