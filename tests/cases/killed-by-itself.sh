#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: killed-by-itself
# report: own
# expect: level=workload primitive=crash cause=signal
# outcome: killed
# needs: python3
# why: A program sends SIGTERM to itself.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
trap - EXIT
rm -rf "$d"
exec python3 -c 'import os, signal; os.kill(os.getpid(), signal.SIGTERM)'
