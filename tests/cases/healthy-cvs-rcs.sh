#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-cvs-rcs
# report: healthy
# expect: none
# outcome: ok
# needs: cvs rcs
# why: Two old hands: files are checked in, changed and compared.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
export HOME="$d" CVSROOT="$d/cvs" LOGNAME=case USER=case
cvs -Q init
mkdir import
cd import
echo 1 >f
cvs -Q import -m import project vendor start
cd ..
cvs -Q checkout project
cd project
echo 2 >f
! cvs -Q diff f >/dev/null
cd ..
echo 1 >r
ci -q -t-case -l r
echo 2 >r
rcsdiff -q r >/dev/null || echo differs
ci -q -m2 -u r
rlog r | wc -l
