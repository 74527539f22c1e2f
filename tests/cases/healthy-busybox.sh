#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-busybox
# report: healthy
# expect: none
# outcome: ok
# needs: busybox
# why: Many small programs of one binary, a web server and its client among them.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
mkdir www
echo hello >www/index.html
busybox sh -c 'busybox seq 20 | busybox sort -rn | busybox head -n 2; busybox tar -c www | busybox tar -t'
busybox ls absent 2>/dev/null || echo none
busybox find . -name '*.html' -exec busybox md5sum {} +
busybox awk 'BEGIN { while ((getline line < "absent") > 0) n++; print n + 0 }'
