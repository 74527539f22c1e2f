#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-runc
# report: healthy
# expect: none
# outcome: ok
# needs: runc
# why: A container of bind mounts and namespaces runs one command.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
mkdir -p bundle/root state
cd bundle
runc spec
for p in usr bin lib lib64 sbin etc; do
    [ -e /$p ] || continue
    mkdir -p root/$p
    printf '{"destination":"/%s","type":"bind","source":"/%s","options":["rbind","ro"]}\n' $p $p
done >mounts
jq --slurpfile m mounts '.process.terminal = false | .process.args = ["sh", "-c", "id -u; hostname; ls / >/dev/null"]
    | .root.path = "root" | .mounts = [.mounts[] | select(.type != "cgroup")] + $m | del(.linux.resources)
    | .linux.namespaces |= map(select(.type != "cgroup"))' config.json >c && mv c config.json
runc --root "$d/state" run "case-$$"
