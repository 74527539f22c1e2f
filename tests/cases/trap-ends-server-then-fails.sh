#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: trap-ends-server-then-fails
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: bash
# why: The shell ends its helper in a trap; what failed was the test.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
sleep 30 & p=$!
trap 'kill "$p" 2>/dev/null; rm -rf "$d"' EXIT
python3 -c 'import sys; print("1 test failed", file=sys.stderr); sys.exit(3)'
