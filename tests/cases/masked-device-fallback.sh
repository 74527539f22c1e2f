#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: masked-device-fallback
# report: own
# expect: none
# subject: openat
# outcome: ok
# needs: bwrap python3
# why: /dev/urandom is absent, and getrandom does as well.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
cat >token.py <<'EOF'
import os

try:
    token = open("/dev/urandom", "rb").read(8)
except OSError:
    token = os.getrandom(8)
print(len(token))
EOF
bwrap --bind / / --tmpfs /dev python3 token.py
