#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: userns-devpts-group
# report: a rootless container whose devpts is to belong to the group tty
# expect: level=sandbox primitive=userns cause=unmapped-id
# subject: devpts
# outcome: failed
# needs: unshare mount
# why: mount of a devpts with gid=5 is EINVAL where the user namespace has no group 5: the map is at fault, not the option.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
mkdir pts
unshare --user --map-root-user --mount true || exit 77
unshare --user --map-root-user --mount mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 devpts pts
