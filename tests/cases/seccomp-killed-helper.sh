#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: seccomp-killed-helper
# report: own
# expect: level=sandbox primitive=seccomp cause=killed
# outcome: ok
# needs: cc sh
# why: A helper is killed by the filter and forgiven, so the task ends well: a failure all the same.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/filter.sh"
make_filter
sh -c './filter kill symlink symlinkat -- ln -s a b 2>/dev/null || true; echo done'
