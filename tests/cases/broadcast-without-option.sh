#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: broadcast-without-option
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3
# why: A broadcast without SO_BROADCAST is EACCES, which no sandbox has said.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
python3 -c 'import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.255.255.255", 9))'
