#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: utf8-latin1-path
# report: own
# expect: level=interface primitive=encoding cause=utf8
# subject: caf
# outcome: failed
# needs: python3
# why: The path arrives as Latin-1 bytes, the file has a UTF-8 name.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
echo hello >"$(printf 'caf\303\251.txt')"
cat >show.py <<'EOF'
import os

fd = os.open("caf\u00e9.txt".encode("latin-1"), os.O_RDONLY)
print(os.read(fd, 100))
EOF
PYTHONUTF8=1 python3 show.py
