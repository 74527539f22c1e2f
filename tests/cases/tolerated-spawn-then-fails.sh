#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tolerated-spawn-then-fails
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: node
# why: A tool that the program can do without is absent; an error of the program's own ends it, and its trace quotes the line that named the tool.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >main.js <<'EOF'
const { spawn } = require("child_process");
spawn("case-optional-tool").on("error", () => { setImmediate(() => { throw new Error("total: 2 !== 3"); }); });
EOF
node main.js
