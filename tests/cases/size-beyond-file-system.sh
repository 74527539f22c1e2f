#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: size-beyond-file-system
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: truncate
# why: No limit is set: the size is beyond what any file system can hold.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
truncate -s 7E f
