#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: masked-dev-fd
# report: own
# expect: level=sandbox primitive=masked cause=device
# subject: /dev/fd
# outcome: failed
# needs: bwrap bash
# why: The sandbox's /dev has no /dev/fd, which a process substitution of bash goes through.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
bwrap --bind / / --tmpfs /dev bash -c 'set -e; cat <(echo hi)'
