#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-zsh
# report: healthy
# expect: none
# outcome: ok
# needs: zsh
# why: A shell with globs, process substitution, a module and jobs.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >t.zsh <<'END'
zmodload zsh/stat zsh/datetime
zmodload zsh/no_such_module 2>/dev/null || print optional
touch a.txt b.txt
print -l *.txt(N) *.absent(N)
diff <(print 1) <(print 2) >/dev/null || print differs
sleep 0.1 &
wait
[[ -e absent ]] || print none
(cd absent 2>/dev/null) || print 'no directory'
END
HOME=$d ZDOTDIR=$d zsh t.zsh
