#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: masked-proc-hidepid
# report: own
# expect: level=sandbox primitive=masked cause=proc
# subject: /proc/1/status
# outcome: failed
# needs: unshare mount setpriv cat
# why: A /proc with hidepid shows nothing of another user's process.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
unshare -mpf true || exit 77
unshare -mpf sh -c 'mount -t proc -o hidepid=1 proc /proc &&
	setpriv --reuid=65534 --regid=65534 --clear-groups cat /proc/1/status; exit $?'
