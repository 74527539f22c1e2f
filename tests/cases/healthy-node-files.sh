#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-node-files
# report: healthy
# expect: none
# outcome: ok
# needs: node
# why: Node meets files that exist, that do not, that are full and that are on another device.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >files.js <<'EOF'
const fs = require('fs');
const attempt = (step) => { try { step(); } catch (e) { console.log(e.code); } };
fs.mkdirSync('a/b/c', { recursive: true });
fs.mkdirSync('a/b', { recursive: true });
fs.rmSync('absent', { force: true });
fs.existsSync('/absent/x');
fs.symlinkSync('a', 'link');
attempt(() => fs.symlinkSync('a', 'link'));
attempt(() => fs.rmdirSync('a'));
attempt(() => require('./absent'));
const elsewhere = '/dev/shm/case-files-' + process.pid;
try {
  fs.renameSync('a', elsewhere);
} catch (e) {
  fs.cpSync('a', elsewhere, { recursive: true });
}
fs.rmSync(elsewhere, { recursive: true });
fs.rmSync('a', { recursive: true, force: true });
EOF
node files.js
