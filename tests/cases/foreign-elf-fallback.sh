#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: foreign-elf-fallback
# report: own
# expect: none
# subject: tool
# outcome: ok
# needs: node
# why: The fast native tool is for another machine, and the slow way does.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/foreign-elf.sh"
foreign_elf tool
cat >build.js <<'EOF'
const result = require('child_process').spawnSync('./tool');
console.log(result.status === 0 ? 'fast way' : 'slow way');
EOF
node build.js
