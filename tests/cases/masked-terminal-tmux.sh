#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: masked-terminal-tmux
# report: own
# expect: level=sandbox primitive=masked cause=terminal
# outcome: failed
# needs: tmux setsid
# why: A multiplexer without a terminal; it says so through a dup of fd 2, which it has closed.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
TMUX_TMPDIR=$d setsid -w tmux -f /dev/null new-session -s x true </dev/null >/dev/null
