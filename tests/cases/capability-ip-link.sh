#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: capability-ip-link
# report: own
# expect: level=sandbox primitive=capability cause=missing
# subject: CAP_NET_ADMIN
# outcome: failed
# needs: setpriv ip unshare
# why: No call fails: the refusal stands in a netlink reply.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
unshare -n true || exit 77
unshare -n setpriv --bounding-set=-net_admin ip link set lo up
