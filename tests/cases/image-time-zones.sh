#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: image-time-zones
# report: own
# expect: level=sandbox primitive=image-data cause=missing
# subject: zoneinfo
# outcome: failed
# needs: bwrap python3
# why: The image has no time zones, and the program needs one.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
if [ ! -d /usr/share/zoneinfo ]; then
    echo 'no time zones here' >&2
    exit 77
fi
bwrap --dev-bind / / --tmpfs /usr/share/zoneinfo python3 -c 'import zoneinfo; print(zoneinfo.ZoneInfo("Europe/Berlin"))'
