#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: missing-cwd-git
# report: own
# expect: level=interface primitive=path cause=missing-cwd
# also: level=interface primitive=path cause=missing-directory
# subject: checkout
# outcome: failed
# needs: git
# why: git -C with a missing directory.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
git -C "$d/checkout" status
