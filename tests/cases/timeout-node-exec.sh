#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: timeout-node-exec
# report: own
# expect: level=interface primitive=deadline cause=killed
# subject: node
# outcome: failed
# needs: node
# why: execSync ends its child at its time limit and throws.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
node -e 'require("child_process").execSync("sleep 20", { timeout: 500 })'
