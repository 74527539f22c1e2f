#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: module-optional-node
# report: own
# expect: none
# outcome: ok
# needs: node
# why: An optional dependency is absent, and the program does without.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >app.js <<'EOF'
let colors = null;
try {
  colors = require('case-colors');
} catch (e) {
  console.log('plain output');
}
EOF
node app.js
