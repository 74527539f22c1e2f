#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: masked-proc-nproc
# report: own
# expect: none
# outcome: ok
# needs: bwrap nproc
# why: nproc does without a /proc.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
bwrap --dev-bind / / --tmpfs /proc nproc
