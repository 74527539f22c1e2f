#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: crlf-directory-name
# report: own
# expect: level=interface primitive=encoding cause=crlf
# subject: \r
# outcome: failed
# needs: node
# why: A directory came from a file with Windows line ends, so the carriage return stands in the middle of the path.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
mkdir data
echo 1 >data/a.json
printf 'data\r\n' >directory
cat >load.js <<'EOF'
const fs = require('fs');
const directory = fs.readFileSync('directory', 'latin1').split('\n')[0];
console.log(fs.readFileSync(directory + '/a.json', 'utf8'));
EOF
node load.js
