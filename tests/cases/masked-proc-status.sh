#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: masked-proc-status
# report: own
# expect: level=sandbox primitive=masked cause=proc
# subject: /proc/self/status
# outcome: failed
# needs: bwrap python3
# why: A program reads its own status from a /proc that is covered by an empty tmpfs.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
bwrap --dev-bind / / --tmpfs /proc python3 -c 'print(open("/proc/self/status").read())'
