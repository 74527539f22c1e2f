#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: timeout-term
# report: own
# expect: level=interface primitive=deadline cause=killed
# subject: timeout
# outcome: failed
# needs: timeout python3
# why: A time limit runs out and timeout sends SIGTERM.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
timeout 0.6 python3 -c 'import time; time.sleep(20)' || exit 1
