#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: foreign-windows-path
# report: own
# expect: level=interface primitive=path cause=foreign
# subject: C:
# outcome: failed
# needs: node
# why: path.resolve makes an absolute path of a Windows one, so the drive stands in the middle.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >load.js <<'EOF'
const fs = require('fs'), path = require('path');
console.log(fs.readFileSync(path.resolve('C:\\Users\\me\\app\\config.json'), 'utf8'));
EOF
node load.js
