#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: fds-raise-hard-limit
# report: own
# expect: level=sandbox primitive=fds cause=process-limit
# outcome: failed
# needs: bash prlimit setpriv
# why: An entry point cannot raise its limit of descriptors above the hard one.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
prlimit --nofile=256:256 setpriv --reuid=48217 --regid=48217 --clear-groups bash -c 'set -e; ulimit -n 65536; echo never'
