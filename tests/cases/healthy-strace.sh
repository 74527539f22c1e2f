#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-strace
# report: healthy
# expect: none
# outcome: ok
# needs: strace
# why: A tracer follows a small program.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
strace -f -o log sh -c 'cat absent 2>/dev/null; true' && grep -c ENOENT log
