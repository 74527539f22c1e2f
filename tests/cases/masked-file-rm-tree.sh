#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: masked-file-rm-tree
# report: own
# expect: level=sandbox primitive=masked cause=file
# subject: node_modules
# outcome: failed
# needs: bwrap rm
# why: One directory of the tree is a mount point, which cannot be removed.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
mkdir -p app/node_modules app/src
touch app/src/a
bwrap --dev-bind / / --tmpfs "$d/app/node_modules" rm -rf app
