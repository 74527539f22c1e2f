#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-profile-node
# report: healthy
# expect: none
# outcome: ok
# needs: cc libseccomp node
# why: Node, its children and its workers work under a container's seccomp profile.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/profile.sh"
make_profile
cat >session.js <<'EOF'
const fs = require('fs'), { execSync } = require('child_process'), { Worker } = require('worker_threads');
console.log(execSync('echo child', { encoding: 'utf8' }).trim());
fs.promises.readFile('/etc/passwd').then((text) => console.log(text.length > 0));
fs.cpSync('/etc/passwd', './copy');
fs.watch('.').close();
new Worker('console.log("worker")', { eval: true });
EOF
UV_USE_IO_URING=1 ./profile node session.js
