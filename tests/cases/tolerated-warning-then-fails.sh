#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tolerated-warning-then-fails
# report: a package manager that is run by the wrong user
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: dpkg setpriv
# why: dpkg warns that its user's file is unreadable and goes on; what ends it is that it wants to be root, asked of nobody.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
chmod 0711 "$d"
mkdir -m 0700 home
HOME=$d/home setpriv --reuid=48217 --regid=48217 --clear-groups dpkg --remove case-not-there
