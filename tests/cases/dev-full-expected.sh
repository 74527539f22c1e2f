#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: dev-full-expected
# report: own
# expect: none
# outcome: ok
# needs: python3 bash
# why: Tests write to /dev/full on purpose.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bash -c 'echo x >/dev/full' 2>/dev/null || echo 'as meant'
python3 -c '
try:
    with open("/dev/full", "wb", 0) as f:
        f.write(b"x")
except OSError as e:
    print(e)'
