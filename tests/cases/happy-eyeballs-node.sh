#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: happy-eyeballs-node
# report: own
# expect: none
# outcome: ok
# needs: node
# why: ::1 refuses first, 127.0.0.1 answers.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >client.js <<'EOF'
const net = require('net');
const both = [{ address: '::1', family: 6 }, { address: '127.0.0.1', family: 4 }];
const server = net.createServer((c) => c.end('hello')).listen(0, '127.0.0.1', () => {
  const client = net.connect({ port: server.address().port, host: 'both.example.test', autoSelectFamily: true,
    lookup: (host, options, done) => done(null, both) });
  client.on('data', (text) => console.log(String(text))).on('close', () => server.close());
});
EOF
node client.js
