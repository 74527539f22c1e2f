#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-ripgrep-fd
# report: healthy
# expect: none
# outcome: ok
# needs: rg fdfind
# why: Files are searched by name and content, with ignore files that are absent.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
export HOME="$d"
mkdir -p a/b
echo needle >a/b/f
echo a/b/ignored >.ignore
echo needle >a/b/ignored
rg -c needle
rg -q no-such-thing || echo none
fdfind -t f f a
fdfind -e absent
