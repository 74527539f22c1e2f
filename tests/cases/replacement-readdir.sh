#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: replacement-readdir
# report: own
# expect: level=interface primitive=encoding cause=replacement
# subject: caf
# outcome: failed
# needs: node
# why: Node lists a Latin-1 name with U+FFFD in it and cannot open what it listed.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
echo hello >"$(printf 'caf\351.txt')"
cat >show.js <<'EOF'
const fs = require('fs');
for (const name of fs.readdirSync('.').filter((name) => name.endsWith('.txt')))
  console.log(fs.readFileSync(name, 'utf8'));
EOF
node show.js
