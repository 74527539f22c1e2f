#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tests-node-one-fails
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: node
# why: Node's runner tells of one assertion; the errors that the other tests expect are theirs.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >errors.test.js <<'EOF'
const test = require('node:test'), assert = require('assert'), fs = require('fs');
const { spawnSync } = require('child_process');
test('missing', () => assert.throws(() => fs.readFileSync('~/absent'), /ENOENT/));
test('command', () => assert.equal(spawnSync('case-tool').error.code, 'ENOENT'));
test('refused', async () => { await assert.rejects(fetch('http://127.0.0.1:9/')); });
test('sum', () => assert.equal(1 + 1, 3));
EOF
node --test
