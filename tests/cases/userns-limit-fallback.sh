#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: userns-limit-fallback
# report: own
# expect: none
# subject: CLONE_NEWUSER
# outcome: ok
# needs: unshare
# why: A launcher goes on without a sandbox where it may not have one.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
unshare -Ur true || exit 77
unshare -Urm sh -c 'echo 0 >/proc/sys/user/max_user_namespaces || exit 77; unshare -Ur echo boxed 2>/dev/null || echo unboxed'
