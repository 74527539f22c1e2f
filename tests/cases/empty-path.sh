#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: empty-path
# report: own
# expect: level=interface primitive=path cause=empty
# outcome: failed
# needs: python3
# why: An argument that was never set arrives as an empty path.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
python3 -c 'import os; print(open(os.environ.get("INPUT_FILE", "")).read())'
