#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-imagemagick
# report: healthy
# expect: none
# outcome: ok
# needs: convert identify
# why: A picture is drawn, converted, scaled and compared; delegates and profiles are searched.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
export HOME="$d"
convert -size 64x64 gradient:red-blue a.png
convert a.png -resize 32x32 b.jpg
convert a.png -rotate 90 c.gif
identify a.png b.jpg c.gif
compare -metric AE a.png a.png null: 2>&1
! identify absent.png 2>/dev/null
