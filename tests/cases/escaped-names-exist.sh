#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: escaped-names-exist
# report: own
# expect: none
# outcome: ok
# needs: python3
# why: Names with %20 and with a backslash and n really exist.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
echo 1 >'a%20b'
echo 2 >'c\nd'
cat 'a%20b' 'c\nd'
cat absent 2>/dev/null || true
