#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: permission-sticky-unlink
# report: own
# expect: level=sandbox primitive=file-permission cause=denied
# subject: drop/job
# outcome: failed
# needs: setpriv rm
# why: In a sticky directory only the owner removes a file: mode bits, although the kernel asks for CAP_FOWNER.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
mkdir drop
chmod 1777 drop
echo a >drop/job
chmod 666 drop/job
setpriv --reuid=48217 --regid=48217 --clear-groups rm -f drop/job
