#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: io-uring-readonly
# report: own
# expect: level=sandbox primitive=read-only cause=mount
# subject: /data/out.txt
# outcome: failed
# needs: node 20, unshare
# why: Node opens files through io_uring: the refusal is in no syscall of its own.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
node -e 'process.exit(parseInt(process.versions.node) < 20 ? 77 : 0)' || exit 77
mkdir data
cat >write.js <<'EOF'
const fs = require('fs');
fs.promises.open('data/out.txt', 'w').catch((e) => { console.error(e.message); process.exit(3); });
EOF
UV_USE_IO_URING=1 unshare --mount sh -c 'mount --bind data data && mount -o remount,bind,ro data && exec node write.js' || exit 1
