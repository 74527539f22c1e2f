#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: userns-tar-unmapped-owner
# report: own
# expect: level=sandbox primitive=userns cause=unmapped-id
# subject: 4242
# outcome: failed
# needs: unshare tar
# why: An archive names an owner without a mapping, which chown calls an invalid argument.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
unshare -Ur true || exit 77
mkdir source unpacked
echo a >source/a
tar --owner=4242 --group=4242 -cf source.tar source
unshare -Ur tar -C unpacked -xf source.tar
