#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: template-not-escaped
# report: own
# expect: level=workload primitive=exit cause=missing-file
# subject: frame%03d.png
# outcome: failed
# needs: python3
# why: An unexpanded template in a name is the program's own and no escape of the tool layer.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
python3 -c 'open("frame%03d.png")'
