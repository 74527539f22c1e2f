#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: sourced-file-missing
# report: own
# expect: level=workload primitive=exit cause=missing-file
# subject: env.sh
# outcome: failed
# needs: dash
# why: dash cannot source a file of the project that nobody made.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
dash -c '. ./env.sh; echo never'
