#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tests-node-real-cause
# report: own
# expect: level=sandbox primitive=read-only cause=mount
# subject: result
# outcome: failed
# needs: node bwrap
# why: Of several refusals the one counts that Node's runner names.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >errors.test.js <<'EOF'
const test = require('node:test'), assert = require('assert'), fs = require('fs');
const { spawnSync } = require('child_process');
test('missing', () => assert.throws(() => fs.readFileSync('~/absent'), /ENOENT/));
test('command', () => assert.equal(spawnSync('case-tool').error.code, 'ENOENT'));
test('refused', async () => { await assert.rejects(fetch('http://127.0.0.1:9/')); });
test('save', () => fs.writeFileSync('data/result', 'x'));
EOF
mkdir data
bwrap --dev-bind / / --ro-bind "$d/data" "$d/data" node --test
