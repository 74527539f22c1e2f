#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: userns-in-chroot
# report: own
# expect: level=sandbox primitive=userns cause=denied
# subject: CLONE_NEWUSER
# outcome: failed
# needs: unshare chroot
# why: No user namespace can be made by a process whose root is not that of its mount namespace.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
mkdir root
unshare -m true || exit 77
unshare -m sh -c 'mount --rbind / root && chroot root unshare -Ur id -u'
