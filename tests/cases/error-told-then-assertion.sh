#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: error-told-then-assertion
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: node
# why: A plain node script swallows refusals, prints them, then an assertion throws.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >a.js <<'EOF'
const fs = require('fs'), net = require('net'), assert = require('assert');
try { fs.readFileSync('/absent/x'); } catch (e) { console.log('config:', e.message); }
net.connect(9, '127.0.0.1').on('error', (e) => { console.log('metrics:', e.message); assert.strictEqual(2 + 2, 5); });
EOF
node a.js
