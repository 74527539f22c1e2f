#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-dpkg-queries
# report: healthy
# expect: none
# outcome: ok
# needs: dpkg
# why: The package tools answer questions, one of them about what is not installed.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
dpkg -l bash >/dev/null && dpkg -s coreutils >/dev/null || exit 1
dpkg -s case-not-there >/dev/null 2>&1 || echo 'not installed'
