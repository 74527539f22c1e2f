#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: network-refused-nonblocking
# report: own
# expect: level=sandbox primitive=network cause=refused
# subject: 127.0.0.1:9200
# outcome: failed
# needs: python3 unshare ip
# why: connect returned EINPROGRESS; the refusal comes by SO_ERROR and no call fails.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >search.py <<'EOF'
import errno, os, select, socket, sys

s = socket.socket()
s.setblocking(False)
error = s.connect_ex(("127.0.0.1", 9200))
if error == errno.EINPROGRESS:
    select.select([], [s], [], 3)
    error = s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
if error:
    sys.exit("search: cannot connect to 127.0.0.1:9200: " + os.strerror(error))
EOF
unshare -n ip link set lo up || exit 77
unshare -n sh -c 'ip link set lo up; exec python3 search.py'
