#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-fish
# report: healthy
# expect: none
# outcome: ok
# needs: fish
# why: A shell that keeps its state in a home of its own.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
export HOME="$d" XDG_CONFIG_HOME="$d/c" XDG_DATA_HOME="$d/s" XDG_RUNTIME_DIR="$d/r"
mkdir r
cat >t.fish <<'END'
for i in (seq 3)
    echo $i
end
type -q no-such-command; or echo optional
test -e absent; or echo none
count *.absent
true
END
fish t.fish
