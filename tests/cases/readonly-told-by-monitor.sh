#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: readonly-told-by-monitor
# report: own
# expect: level=sandbox primitive=read-only cause=mount
# subject: result.txt
# outcome: failed
# needs: bwrap python3 touch
# why: A monitor, left behind by a parent that ended well, tells the launcher the program's status.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
cat >launch.py <<'EOF'
import os
import subprocess
import sys

rd, wr = os.pipe()
if os.fork() == 0:
    if os.fork() == 0:
        os.setsid()
        status = subprocess.call(sys.argv[1:])
        os.write(wr, bytes([status]))
    os._exit(0)
os.wait()
os.close(wr)
sys.exit(os.read(rd, 1)[0])
EOF
python3 launch.py bwrap --dev-bind / / --ro-bind "$d" "$d" touch "$d/result.txt"
