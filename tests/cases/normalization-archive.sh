#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: normalization-archive
# report: own
# expect: level=interface primitive=encoding cause=normalization
# outcome: failed
# needs: node
# why: An archive from a Mac left a decomposed name on disk, the request has it composed.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
echo x >"$(printf 'Mu\314\210ller.txt')"
node -e 'console.log(require("fs").readFileSync("M\u00fcller.txt","utf8"))'
