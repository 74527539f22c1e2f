#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: io-uring-permission
# report: own
# expect: level=sandbox primitive=file-permission cause=denied
# subject: /secret
# outcome: failed
# needs: node 20, setpriv
# why: The mode bits refuse a file that is opened through io_uring.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
node -e 'process.exit(parseInt(process.versions.node) < 20 ? 77 : 0)' || exit 77
echo x >secret; chmod 600 secret; chmod 711 .
cat >read.js <<'EOF'
const fs = require('fs');
fs.promises.open('secret', 'r').catch((e) => { console.error(e.message); process.exit(3); });
EOF
UV_USE_IO_URING=1 HOME=/nonexistent setpriv --reuid 65534 --regid 65534 --clear-groups node read.js || exit 1
