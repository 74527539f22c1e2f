#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-tmux
# report: healthy
# expect: none
# outcome: ok
# needs: tmux
# why: A session is made, written to, captured and ended.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
export HOME="$d" TMUX_TMPDIR="$d" TERM=xterm SHELL=/bin/sh
tmux -f /dev/null new-session -d -s case 'echo hello; cat'
n=0
until tmux capture-pane -p -t case | grep hello; do
    [ $((n += 1)) -le 100 ] || exit 1
    sleep 0.05
done
tmux has-session -t absent 2>/dev/null || echo none
tmux kill-server
