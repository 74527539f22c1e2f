#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: escaped-url-pathname
# report: own
# expect: level=interface primitive=encoding cause=escaped
# subject: %20
# outcome: failed
# needs: node
# why: The pathname of a URL keeps its %20, and the file has a blank.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
mkdir 'my project'
echo '{"a":1}' >'my project/config.json'
cat >load.mjs <<'EOF'
import fs from 'fs';

const url = new URL('file://' + process.cwd() + '/my project/config.json');
console.log(JSON.parse(fs.readFileSync(url.pathname, 'utf8')));
EOF
node load.mjs
