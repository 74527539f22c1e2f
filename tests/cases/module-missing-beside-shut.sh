#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: module-missing-beside-shut
# report: own
# expect: level=sandbox primitive=library cause=module
# subject: caseconfig
# outcome: failed
# needs: python3 setpriv
# why: A module is nowhere; that the program read a file in vain before has nothing to do with it.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
chmod 755 "$d"
echo secret >settings
chmod 600 settings
cat >main.py <<'EOF'
try:
    open("settings")
except PermissionError:
    pass
import caseconfig
EOF
setpriv --reuid=65534 --clear-groups python3 main.py
