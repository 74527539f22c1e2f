#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: address-in-use-fallback
# report: own
# expect: none
# outcome: ok
# needs: node
# why: The port is taken, and the server takes another one.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >server.js <<'EOF'
const http = require('http');
const first = http.createServer().listen(0, '127.0.0.1', () => {
  const second = http.createServer();
  second.on('error', () => second.listen(0, '127.0.0.1', () => {
    console.log('on another port');
    first.close();
    second.close();
  }));
  second.listen(first.address().port, '127.0.0.1');
});
EOF
node server.js
