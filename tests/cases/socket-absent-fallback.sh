#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: socket-absent-fallback
# report: own
# expect: none
# outcome: ok
# needs: python3
# why: There is no log socket, so the log goes to a file.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >service.py <<'EOF'
import socket

def log(text):
    try:
        s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        s.connect("/run/case-log")
        s.send(text)
    except OSError:
        with open("service.log", "ab") as f:
            f.write(text)

log(b"hello\n")
print(open("service.log").read())
EOF
python3 service.py
