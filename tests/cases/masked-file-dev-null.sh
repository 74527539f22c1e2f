#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: masked-file-dev-null
# report: own
# expect: level=sandbox primitive=masked cause=file
# subject: .env
# outcome: failed
# needs: bwrap cat
# why: A secret file is covered by /dev/null on a nodev mount, so that not even nothing can be read.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
echo KEY=1 >.env
bwrap --ro-bind / / --dev /dev --ro-bind /dev/null "$d/.env" cat .env
