#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: missing-cwd-env
# report: own
# expect: level=interface primitive=path cause=missing-cwd
# subject: gone
# outcome: failed
# needs: env
# why: env would go to a directory that was handed in and never made; its text blames the directory alone.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
env --chdir="$d/gone" ls
