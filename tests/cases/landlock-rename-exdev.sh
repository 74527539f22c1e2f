#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: landlock-rename-exdev
# report: own
# expect: level=sandbox primitive=lsm cause=landlock
# subject: /f
# outcome: failed
# needs: cc python3
# why: A rename between two directories of one file system is EXDEV, as Landlock's refer right is missing.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/confine.sh"
mkdir workspace a b
echo x >a/f
make_confine
./confine refer -- "$d/workspace" python3 -c 'import os; os.rename("a/f", "b/f")'
