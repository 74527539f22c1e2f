#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: masked-file-written-in-place
# report: own
# expect: none
# subject: settings.json
# outcome: ok
# needs: bwrap node
# why: The same EBUSY, then the program writes the file in place.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
mkdir conf
echo '{}' >conf/settings.json
cat >save.js <<'EOF'
const fs = require('fs');
fs.writeFileSync('conf/new', '{"a":1}');
try {
  fs.renameSync('conf/new', 'conf/settings.json');
} catch (e) {
  fs.writeFileSync('conf/settings.json', '{"a":1}');
  fs.unlinkSync('conf/new');
}
console.log(fs.readFileSync('conf/settings.json', 'utf8'));
EOF
bwrap --dev-bind / / --bind "$d/conf/settings.json" "$d/conf/settings.json" node save.js
