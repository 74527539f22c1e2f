#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: capability-chown
# report: own
# expect: level=sandbox primitive=capability cause=missing
# subject: CAP_CHOWN
# outcome: failed
# needs: setpriv chown
# why: A user gives a file of root's away; to be its owner would not do either.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
chmod 755 "$d"
touch f
setpriv --reuid=65534 --regid=65534 --clear-groups chown 4242 "$d/f"
