#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: fds-accept-after-caught
# report: own
# expect: level=sandbox primitive=fds cause=process-limit
# subject: accept
# outcome: failed
# needs: python3 prlimit
# why: A server opens all it can, and catches that; that it can't accept one more connection is what ends it.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >server.py <<'EOF'
import os, socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen(5)
c = socket.create_connection(s.getsockname())
held = []
try:
    while True:
        held.append(os.dup(0))
except OSError:
    pass
s.accept()
EOF
prlimit --nofile=32 python3 server.py
