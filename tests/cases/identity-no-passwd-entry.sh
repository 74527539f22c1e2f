#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: identity-no-passwd-entry
# report: own
# expect: level=sandbox primitive=identity cause=unknown-user
# subject: 48217
# outcome: failed
# needs: setpriv python3
# why: The uid has no entry in passwd, so the user has no name.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
unset LOGNAME USER LNAME USERNAME
setpriv --reuid=48217 --regid=48217 --clear-groups python3 -c 'import getpass; print(getpass.getuser())'
