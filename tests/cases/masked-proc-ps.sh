#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: masked-proc-ps
# report: own
# expect: level=sandbox primitive=masked cause=proc
# subject: /proc
# outcome: failed
# needs: bwrap ps
# why: ps finds no /proc and gives up.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
bwrap --dev-bind / / --tmpfs /proc ps
