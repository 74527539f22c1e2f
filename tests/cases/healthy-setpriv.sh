#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-setpriv
# report: healthy
# expect: none
# outcome: ok
# needs: setpriv
# why: Privileges are dropped step by step; what was given up is not asked for.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
chmod 0755 "$d"
setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \
    sh -c 'id -u && ls / >/dev/null'
setpriv --ambient-caps=-all true
setpriv -d | head -n 2
