#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tolerated-network-then-missing
# report: own
# expect: level=workload primitive=exit cause=missing-file
# subject: model.bin
# outcome: failed
# needs: python3 bwrap
# why: A refused telemetry connection is caught, then a file is missing.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / --unshare-net true || exit 77
cat >serve.py <<'EOF'
import socket

try:
    socket.create_connection(("10.1.2.3", 443), 1)
except OSError:
    pass
open("model.bin")
EOF
bwrap --dev-bind / / --unshare-net python3 serve.py
