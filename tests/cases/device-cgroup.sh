#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: device-cgroup
# report: own
# expect: level=sandbox primitive=device cause=denied
# subject: full
# outcome: failed
# needs: 
# why: The device cgroup refuses a node that anybody may open by its mode.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
cg=/sys/fs/cgroup/devices/device-case-$$
if ! [ -w /sys/fs/cgroup/devices/cgroup.procs ] || ! mkdir "$cg"; then
    echo 'no device cgroup of version 1' >&2
    exit 77
fi
trap 'rmdir "$cg"; rm -rf "$d"' EXIT
mknod -m 666 full c 1 7 && head -c 1 full >/dev/null || exit 77
echo 'c 1:7 rwm' >"$cg/devices.deny" || exit 77
sh -c 'echo $$ >"$0/cgroup.procs" || exit 77; exec head -c 1 full' "$cg"
