#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: userns-limit-zero
# report: own
# expect: level=sandbox primitive=userns cause=limit
# subject: CLONE_NEWUSER
# outcome: failed
# needs: unshare
# why: max_user_namespaces of the surrounding namespace is 0, and a sandbox cannot be nested.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
unshare -Ur true || exit 77
unshare -Urm sh -c 'echo 0 >/proc/sys/user/max_user_namespaces || exit 77; unshare -Ur true'
