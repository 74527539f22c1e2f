#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: script-missing-dash
# report: own
# expect: level=workload primitive=exit cause=missing-file
# subject: build.sh
# outcome: failed
# needs: dash
# why: The script itself is not there; dash ends with 127 or 2, and no tool is missing.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
dash build.sh
