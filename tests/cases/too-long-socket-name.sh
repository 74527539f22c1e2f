#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: too-long-socket-name
# report: own
# expect: level=interface primitive=path cause=too-long
# outcome: failed
# needs: python3
# why: A socket's name over its limit is refused by Python itself, without a system call.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >serve.py <<'EOF'
import os, socket

socket.socket(socket.AF_UNIX).bind(os.path.join(os.getcwd(), "s" * 120 + ".sock"))
EOF
python3 serve.py
