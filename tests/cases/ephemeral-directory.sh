#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: ephemeral-directory
# report: own
# expect: level=sandbox primitive=ephemeral cause=lost-directory
# subject: /tmp/job
# outcome: failed
# needs: bwrap sh
# why: The first turn makes a directory in the sandbox's own /tmp, the second one has a fresh sandbox and wants to go there.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
turn() { bwrap --ro-bind / / --dev /dev --tmpfs /tmp --chdir /tmp "$@"; }
turn sh -c 'mkdir -p /tmp/job/src && echo a >/tmp/job/src/a' || exit 77
turn sh -c 'cd /tmp/job/src && cat a'
