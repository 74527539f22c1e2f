#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: landlock-beside-mode-bits
# report: own
# expect: level=sandbox primitive=file-permission cause=denied
# subject: secret
# outcome: failed
# needs: cc setpriv cat
# why: Mode bits and Landlock both forbid it; by the order of owners the mode bits are named.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/confine.sh"
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
mkdir workspace
echo x >secret
chmod 600 secret
make_confine
setpriv --reuid=48217 --regid=48217 --clear-groups ./confine write -- "$d/workspace" sh -c 'echo y >>secret'
