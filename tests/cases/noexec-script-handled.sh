#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: noexec-script-handled
# report: own
# expect: none
# subject: scratch/run.sh
# outcome: ok
# needs: unshare bash
# why: A script on a noexec tmpfs cannot be started, but sh can read it.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
mkdir scratch
unshare -m true || exit 77
cat >step.sh <<'EOF'
mount -t tmpfs -o noexec none scratch || exit 77
printf '#!/bin/sh\necho ran\n' >scratch/run.sh
chmod +x scratch/run.sh
./scratch/run.sh 2>/dev/null || sh scratch/run.sh
EOF
unshare -m bash step.sh
