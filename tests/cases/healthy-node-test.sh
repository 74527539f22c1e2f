#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-node-test
# report: healthy
# expect: none
# outcome: ok
# needs: node
# why: Node's test runner with tests that expect errors.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >files.test.js <<'EOF'
const test = require('node:test'), assert = require('assert'), fs = require('fs');
test('sum', () => assert.equal(1 + 1, 2));
test('missing', () => assert.throws(() => fs.readFileSync('absent'), /ENOENT/));
test('directory', async () => { await assert.rejects(fs.promises.readFile('/etc'), /EISDIR/); });
EOF
node --test
