#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: seccomp-under-strace
# report: own
# expect: level=sandbox primitive=seccomp cause=denied
# subject: mkdir
# outcome: failed
# needs: cc strace
# why: A tracer watches the refused program, so that its system calls take another way into the kernel.
here=$(cd "$(dirname "$0")" && pwd)
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
. "$here/lib/filter.sh"
make_filter
strace -f -o /dev/null ./filter EPERM mkdir mkdirat -- mkdir x
