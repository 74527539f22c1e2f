#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: too-long-argument-python
# report: own
# expect: level=interface primitive=args cause=too-long
# outcome: failed
# needs: python3
# why: A prompt of 200 kB stands in one argument of a child.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
python3 -c 'import subprocess; subprocess.run(["echo", "x" * 200000], check=True)'
