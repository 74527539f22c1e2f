#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: masked-terminal-default-answer
# report: own
# expect: none
# subject: /dev/tty
# outcome: ok
# needs: setsid python3
# why: A program would ask at its terminal, has none and takes the default.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >ask.py <<'EOF'
try:
    terminal = open("/dev/tty", "r+")
except OSError:
    print("answer: yes (default)")
EOF
setsid -w python3 ask.py </dev/null
