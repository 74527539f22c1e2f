#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: probe-failed-then-own-node
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: node
# why: node tries a tool by a shell, handles its absence, then validation fails with exit 1.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >a.js <<'EOF'
const cp = require('child_process');
let v = 'unknown'; try { v = cp.execSync('absent-vcs describe', { stdio: 'pipe' }).toString(); } catch (e) {}
console.log('version', v); console.log('invalid schema: missing field name'); process.exit(1);
EOF
node a.js
