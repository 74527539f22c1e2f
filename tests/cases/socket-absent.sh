#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: socket-absent
# report: own
# expect: level=sandbox primitive=network cause=socket-absent
# subject: /run/case-service.sock
# outcome: failed
# needs: python3
# why: A service's socket was not mounted into the sandbox.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect("/run/case-service.sock")'
