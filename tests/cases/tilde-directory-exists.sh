#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tilde-directory-exists
# report: own
# expect: none
# outcome: ok
# needs: bash
# why: A directory is really called ~ and used.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
mkdir './~'
echo 1 >'./~/x'
cat './~/x'
cat './~/y' 2>/dev/null || true
