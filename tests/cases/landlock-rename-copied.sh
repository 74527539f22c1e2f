#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: landlock-rename-copied
# report: own
# expect: none
# subject: /f
# outcome: ok
# needs: cc mv
# why: The same EXDEV as between two mounts; mv copies and removes instead.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/confine.sh"
mkdir workspace a b
echo x >a/f
make_confine
./confine refer -- "$d/workspace" sh -c 'mv a/f b/f && cat b/f'
