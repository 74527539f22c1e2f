#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: error-told-on-stdout
# report: own
# expect: level=sandbox primitive=read-only cause=mount
# subject: report.csv
# outcome: failed
# needs: python3 bwrap
# why: A program tells its error on standard output, after others that it had got over.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >report.py <<'EOF'
import os, socket, sys
try:
    socket.create_connection(("127.0.0.1", 9))
except OSError:
    pass
try:
    f = open("data/report.csv", "w")
except OSError as e:
    print("error:", e)
try:
    os.kill(1 << 21, 0)
    open("~/notes")
except OSError:
    pass
sys.exit(3)
EOF
mkdir data
bwrap --dev-bind / / --ro-bind "$d/data" "$d/data" python3 report.py
