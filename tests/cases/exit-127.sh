#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: exit-127
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3
# why: 127 is not always a missing command.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
python3 -c 'import sys; sys.exit(127)'
