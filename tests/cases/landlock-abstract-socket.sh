#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: landlock-abstract-socket
# report: own
# expect: level=sandbox primitive=lsm cause=landlock
# outcome: failed
# needs: cc python3
# why: A Landlock scope cuts the task off from abstract sockets that were made outside of its domain.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/confine.sh"
make_confine
cat >service.py <<'EOF'
import os, socket, subprocess, sys

name = "case-%d" % os.getpid()
service = socket.socket(socket.AF_UNIX)
service.bind("\0" + name)
service.listen()
sys.exit(subprocess.call(["./confine", "abstract-socket", "--", ".", "python3", "client.py", name]))
EOF
cat >client.py <<'EOF'
import socket, sys

socket.socket(socket.AF_UNIX).connect("\0" + sys.argv[1])
EOF
python3 service.py
