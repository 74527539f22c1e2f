#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-nspawn
# report: healthy
# expect: none
# outcome: ok
# needs: systemd-nspawn
# why: A container in a tree of bind mounts runs one command.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
command -v systemd-nspawn >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
mkdir -p root/usr root/etc
for l in bin sbin lib lib64; do ln -s usr/$l root/$l; done
touch root/etc/os-release
systemd-nspawn -q --register=no --keep-unit --private-network -D root --bind-ro=/usr -M "case-$$" \
    sh -c 'id -u; ls / >/dev/null' 2>/dev/null
rmdir "/run/systemd/nspawn/propagate/case-$$" 2>/dev/null || true
