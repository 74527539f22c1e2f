#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-fossil
# report: healthy
# expect: none
# outcome: ok
# needs: fossil
# why: A repository in one file is made, opened and committed to.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
export HOME="$d" USER=case
fossil init -A case repo.fossil >/dev/null
mkdir wc
cd wc
fossil open ../repo.fossil >/dev/null
echo 1 >f
fossil add f
fossil commit -m first --no-warnings --user-override case >/dev/null 2>&1
fossil timeline -n 3
fossil changes
