#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-graphs
# report: healthy
# expect: none
# outcome: ok
# needs: dot gnuplot
# why: A graph and a plot are drawn; fonts and plugins are searched.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
command -v dot >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
export HOME="$d"
echo 'digraph { a -> b -> c; a -> c }' | dot -Tsvg >a.svg
gnuplot -e 'set terminal svg; set output "b.svg"; plot sin(x)'
grep -c '<svg' a.svg b.svg
