#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: build-failed-kept-words
# report: own
# expect: level=sandbox primitive=binary cause=not-found
# subject: case-linker
# outcome: failed
# needs: python3
# why: A tool that is missing is what the build failed for, though the program keeps its words to itself.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >build.py <<'EOF'
import subprocess, sys
r = subprocess.run("case-linker -o a a.o", shell=True, capture_output=True)
if r.returncode:
    sys.exit("error: the build failed")
EOF
python3 build.py
