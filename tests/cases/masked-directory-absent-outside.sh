#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: masked-directory-absent-outside
# report: own
# expect: level=workload primitive=exit cause=missing-file
# subject: nothing.json
# outcome: failed
# needs: bwrap cat
# why: The directory is the sandbox's own, but the file is not there outside of it either.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
mkdir conf
bwrap --dev-bind / / --tmpfs "$d/conf" cat "$d/conf/nothing.json"
