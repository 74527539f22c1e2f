#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: normalization-listed
# report: own
# expect: none
# outcome: ok
# needs: python3
# why: A decomposed name is missed by its composed form and then found in the listing.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >find.py <<'EOF'
import os, unicodedata

wanted = "M\u00fcller"
open(unicodedata.normalize("NFD", wanted), "w").close()
try:
    open(wanted)
except FileNotFoundError:
    name = next(f for f in os.listdir(".") if unicodedata.normalize("NFC", f) == wanted)
    open(name)
    print("found")
EOF
PYTHONUTF8=1 python3 find.py
