#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-jq-session
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: jq
# why: Documents are made, filtered, merged; a broken one is refused.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
jq -n '{a: [range(5)]}' >a.json
jq -c '.a | add' a.json
jq -s 'add' a.json a.json >/dev/null
echo '{' | jq . 2>/dev/null || echo broken
jq -e .absent a.json >/dev/null || echo none
jq . absent.json 2>/dev/null || echo 'no file'
