#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: too-long-argument-node
# report: own
# expect: level=interface primitive=args cause=too-long
# outcome: failed
# needs: node
# why: execFileSync hands over one argument of 150 kB.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
node -e 'require("child_process").execFileSync("grep", ["-e", "y".repeat(150000), "/etc/passwd"])'
