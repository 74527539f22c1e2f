#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: masked-directory-shut
# report: own
# expect: level=sandbox primitive=masked cause=file
# subject: token
# outcome: failed
# needs: unshare mount setpriv cat
# why: A directory that lets nobody in is bound over one that everybody may read.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
unshare -m true || exit 77
chmod 755 "$d"
mkdir keys
echo KEY=1 >keys/token
mkdir -m 400 shut
unshare -m sh -c 'mount --bind shut keys && setpriv --reuid=65534 --clear-groups cat "$PWD/keys/token"; exit $?'
