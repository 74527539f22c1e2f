#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-zip-7z
# report: healthy
# expect: none
# outcome: ok
# needs: zip unzip 7z
# why: Archives are made, tested, listed and unpacked, one with a password, one damaged.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
seq 1 5000 >a
mkdir sub
ln -s b sub/link
zip -q -r t.zip a sub
unzip -q -t t.zip
unzip -q t.zip -d out
cmp a out/a
7z a -bd t.7z a sub >log
7z a -bd -psecret s.7z a >>log
7z t -bd t.7z >>log
7z x -bd -oout7 t.7z >>log
head -c 500 t.zip >damaged.zip
unzip -q -t damaged.zip >/dev/null 2>&1 || echo damaged
