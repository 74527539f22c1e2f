#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: readonly-container-own-cgroup
# report: own
# expect: level=sandbox primitive=read-only cause=mount
# subject: /data/new
# outcome: failed
# needs: runc busybox jq
# why: Told nothing, runc makes the container's cgroup at the root of the tree, outside of the task's.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
mkdir -p root/bin root/proc root/dev root/sys root/data
cp "$(command -v busybox)" root/bin/busybox
root/bin/busybox true && ! ldd root/bin/busybox >/dev/null 2>&1 || exit 77
runc spec || exit 77
jq '.process.terminal = false | .root = {path: "root", readonly: true} | .process.args = ["/bin/busybox", "touch", "/data/new"]' \
	config.json >new.json && mv new.json config.json
runc --root "$d/state" run --bundle "$d" "own-$$"
