#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-bash-jobs
# report: healthy
# expect: none
# outcome: ok
# needs: bash
# why: Traps, co-processes, here documents, a command that is not found and handled, a broken pipe that is expected.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >t.bash <<'END'
set -u
trap 'echo bye' EXIT
coproc CAT { cat; }
echo hi >&"${CAT[1]}"
read -r line <&"${CAT[0]}"
echo "$line"
pid=$CAT_PID # unset once it is gone
kill "$pid"
wait "$pid"
no-such-command 2>/dev/null || echo 'not found'
yes 2>/dev/null | head -n 1
{ sleep 10 & } 2>/dev/null
kill $!
wait $! 2>/dev/null
mapfile -t lines < <(printf '1\n2\n')
echo "${#lines[@]}"
cat <<<here
[ -e absent ] || echo none
END
bash t.bash
