#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: missing-cache-directory
# report: own
# expect: level=interface primitive=path cause=missing-directory
# subject: cache
# outcome: failed
# needs: python3
# why: XDG_CACHE_HOME was handed in and never made.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >index.py <<'EOF'
import os

with open(os.path.join(os.environ["XDG_CACHE_HOME"], "index.json"), "w") as f:
    f.write("{}")
EOF
XDG_CACHE_HOME=$d/cache python3 index.py
