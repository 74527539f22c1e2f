#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: fds-loader
# report: own
# expect: level=sandbox primitive=fds cause=process-limit
# subject: lib
# outcome: failed
# needs: prlimit cat
# why: The loader can't open a library that is there: no descriptor is left for it.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
echo data >input
prlimit --nofile=3 cat input
