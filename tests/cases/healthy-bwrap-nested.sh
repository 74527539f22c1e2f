#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-bwrap-nested
# report: healthy
# expect: none
# outcome: ok
# needs: bwrap
# why: A sandbox in a sandbox.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / --unshare-user bwrap --dev-bind / / --unshare-user true || exit 77
inner="bwrap --dev-bind / / --tmpfs /tmp --unshare-net --unshare-user"
bwrap --dev-bind / / --unshare-pid --unshare-user --proc /proc $inner sh -c 'id -u; echo x >/tmp/x; cat /tmp/x'
