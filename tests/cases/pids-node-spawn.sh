#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: pids-node-spawn
# report: own
# expect: level=sandbox primitive=pids cause=cgroup-limit
# outcome: failed
# needs: node
# why: spawn gets EAGAIN at pids.max of the cgroup.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/limit.sh"
cat >spawn.js <<'EOF'
const { spawn } = require('child_process');
for (let i = 0; i < 30; i++)
  spawn('sleep', ['0.3']).on('error', (e) => { console.error(String(e)); process.exit(1); });
EOF
in_limited_cgroup pids=18 -- node spawn.js
