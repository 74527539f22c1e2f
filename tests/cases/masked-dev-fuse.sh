#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: masked-dev-fuse
# report: own
# expect: level=sandbox primitive=masked cause=device
# subject: /dev/fuse
# outcome: failed
# needs: bwrap cat
# why: The sandbox's own /dev has the usual nodes, and not the one of FUSE.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
bwrap --ro-bind / / --dev /dev cat /dev/fuse
