#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: network-timeout-node
# report: own
# expect: level=sandbox primitive=network cause=timeout
# subject: 10.8.0.1
# outcome: failed
# needs: node unshare ip
# why: Packets vanish, and a signal of the program's own aborts the fetch.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/dead-network.sh"
unset NODE_OPTIONS NODE_USE_ENV_PROXY
cat >fetch.js <<'EOF'
fetch('http://10.8.0.1/', { signal: AbortSignal.timeout(600) }).then((r) => console.log(r.status));
EOF
in_dead_network node fetch.js
