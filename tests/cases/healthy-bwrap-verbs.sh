#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-bwrap-verbs
# report: healthy
# expect: none
# outcome: ok
# needs: bwrap
# why: Binds, temporary file systems, data by descriptor, an optional bind that is absent, and a lock file.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
echo data >file
bwrap --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --proc /proc --dev /dev \
    --tmpfs /tmp --bind "$d" /work --chdir /work --ro-bind-try /no/such/place /place --unshare-all --die-with-parent \
    --hostname case --file 9 /tmp/given 9<file -- sh -c 'cat /tmp/given; hostname; echo x >made; ls /dev/null'
test -s made
