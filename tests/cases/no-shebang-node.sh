#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: no-shebang-node
# report: own
# expect: none
# outcome: ok
# needs: node
# why: libuv starts a text file by execvp, which hands it to a shell.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
printf 'echo hello\n' >hook
chmod +x hook
cat >run.js <<'EOF'
const result = require('child_process').spawnSync('./hook');
if (result.error) throw result.error;
process.stdout.write(result.stdout);
EOF
node run.js
