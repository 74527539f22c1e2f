#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-fakeroot
# report: healthy
# expect: none
# outcome: ok
# needs: fakeroot tar
# why: Ownership is pretended; the daemon behind it ends with its program.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
fakeroot sh -c 'touch f && chown 1234:5678 f && stat -c %u:%g f && mknod n c 1 3 && tar -cf t.tar f n'
tar -tvf t.tar
