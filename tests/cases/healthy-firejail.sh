#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-firejail
# report: healthy
# expect: none
# outcome: ok
# needs: firejail
# why: A launcher with a private home and no network runs one command.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
command -v firejail >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
firejail --quiet --noprofile --net=none --private="$d" sh -c 'id -u; echo x >f; cat f'
