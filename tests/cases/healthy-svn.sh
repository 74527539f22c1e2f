#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-svn
# report: healthy
# expect: none
# outcome: ok
# needs: svn svnadmin
# why: A repository by file URL is checked out, changed, branched and compared.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
export HOME="$d"
svnadmin create repo
svn -q mkdir -m layout "file://$d/repo/trunk" "file://$d/repo/branches"
svn -q checkout "file://$d/repo/trunk" wc
cd wc
echo 1 >f
svn -q add f
svn -q commit -m 1
svn -q copy -m branch "file://$d/repo/trunk" "file://$d/repo/branches/b"
echo 2 >f
svn diff | wc -l
svn -q commit -m 2
svn -q update
svn log -q | wc -l
! svn cat absent 2>/dev/null
