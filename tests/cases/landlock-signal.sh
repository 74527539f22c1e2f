#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: landlock-signal
# report: own
# expect: level=sandbox primitive=lsm cause=landlock
# subject: kill
# outcome: failed
# needs: cc python3
# why: A Landlock scope forbids signals to processes outside, whatever the user may do.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/confine.sh"
make_confine
sleep 3 & p=$!
./confine signal -- . python3 -c 'import os, sys; os.kill(int(sys.argv[1]), 15)' "$p"
rc=$?
kill "$p"
exit "$rc"
