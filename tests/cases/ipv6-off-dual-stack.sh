#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: ipv6-off-dual-stack
# report: own
# expect: none
# outcome: ok
# needs: node unshare
# why: IPv6 is switched off, and Node falls back to 0.0.0.0.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
off='ip link set lo up && echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6 || exit 77'
unshare -n sh -c "$off" || exit 77
cat >server.js <<'EOF'
const server = require('http').createServer().listen(0, () => {
  console.log(server.address());
  server.close();
});
EOF
unshare -n sh -c "$off; exec node server.js"
