#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: module-relative-missing
# report: own
# expect: level=workload primitive=exit cause=missing-file
# outcome: failed
# needs: node
# why: A relative require of a file of the project that nobody made; no package is missing.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
echo "require('./lib/util');" >app.js
node app.js
