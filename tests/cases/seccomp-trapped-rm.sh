#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: seccomp-trapped-rm
# report: own
# expect: level=sandbox primitive=seccomp cause=trapped
# subject: unlink
# outcome: failed
# needs: cc rm
# why: A filter that traps sends SIGSYS, and rm has no handler for it.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/filter.sh"
touch f
make_filter
./filter trap unlinkat unlink -- rm -f f
