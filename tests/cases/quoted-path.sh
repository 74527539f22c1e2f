#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: quoted-path
# report: own
# expect: level=interface primitive=path cause=quoted
# subject: data.json
# outcome: failed
# needs: python3
# why: The path was handed in with its quotes and then made absolute.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
echo '{}' >data.json
python3 -c 'import os; print(open(os.path.abspath("\"data.json\"")).read())'
