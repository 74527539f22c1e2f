#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: readonly-before-capability
# report: own
# expect: level=sandbox primitive=read-only cause=mount
# subject: f
# outcome: failed
# needs: bwrap chown
# why: CAP_CHOWN is missing too, but by the order of owners the mount flag is named.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
bwrap --dev-bind / / true || exit 77
mkdir data
touch data/f
bwrap --dev-bind / / --ro-bind "$d/data" "$d/data" --cap-drop CAP_CHOWN chown 1000 data/f
