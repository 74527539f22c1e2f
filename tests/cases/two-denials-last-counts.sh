#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: two-denials-last-counts
# report: own
# expect: level=sandbox primitive=read-only cause=mount
# subject: /usr/
# outcome: failed
# needs: bash bwrap curl
# why: A refused connection does not end the script, a read-only file system does.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
cat >report.sh <<'EOF'
curl -sS -m 1 http://127.0.0.1:81/
python3 -c 'open("/usr/share/case-report", "w")'
EOF
bwrap --ro-bind / / --dev /dev --unshare-net bash report.sh
