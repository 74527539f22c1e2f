#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: seccomp-eacces-mkdir
# report: own
# expect: level=sandbox primitive=seccomp cause=denied
# subject: mkdir
# outcome: failed
# needs: cc mkdir
# why: The profile answers EACCES, which looks like mode bits; the directory is the caller's own.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/filter.sh"
make_filter
./filter EACCES mkdir mkdirat -- mkdir x
