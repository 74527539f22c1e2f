#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: missing-tmpdir-python
# report: own
# expect: level=interface primitive=path cause=missing-directory
# subject: scratch
# outcome: failed
# needs: python3
# why: TMPDIR was handed in and never made; a program tries twice to make a file there and gives up.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >upload.py <<'EOF'
import os, tempfile, time

for attempt in (1, 2):
    try:
        tempfile.mkstemp(dir=os.environ["TMPDIR"])
        break
    except OSError as e:
        error = e
        time.sleep(0.3)
else:
    raise error
EOF
TMPDIR=$d/scratch python3 upload.py
