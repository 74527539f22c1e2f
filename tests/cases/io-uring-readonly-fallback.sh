#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: io-uring-readonly-fallback
# report: own
# expect: none
# subject: /data/out.txt
# outcome: ok
# needs: node 20, unshare
# why: Refused through io_uring, and written elsewhere: handled.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
node -e 'process.exit(parseInt(process.versions.node) < 20 ? 77 : 0)' || exit 77
mkdir data spare
cat >write.js <<'EOF'
const fs = require('fs');
fs.promises.open('data/out.txt', 'w')
  .catch(() => fs.promises.open('spare/out.txt', 'w'))
  .then((f) => f.close());
EOF
UV_USE_IO_URING=1 unshare --mount sh -c 'mount --bind data data && mount -o remount,bind,ro data && exec node write.js' && [ -e spare/out.txt ]
