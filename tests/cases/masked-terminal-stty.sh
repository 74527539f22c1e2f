#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: masked-terminal-stty
# report: own
# expect: level=sandbox primitive=masked cause=terminal
# outcome: failed
# needs: stty
# why: stty wants a terminal on its input and gets /dev/null.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
setsid -w stty size </dev/null
