#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-dpkg-install
# report: healthy
# expect: none
# outcome: ok
# needs: dpkg dpkg-deb
# why: A package is built, installed into a root of its own, listed, upgraded and removed.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
mkdir -p pkg/DEBIAN pkg/usr/share/case root/var/lib/dpkg/info root/var/lib/dpkg/updates root/var/lib/dpkg/triggers
touch root/var/lib/dpkg/status
echo data >pkg/usr/share/case/data
for version in 1.0 1.1; do
    printf 'Package: case\nVersion: %s\nArchitecture: all\nMaintainer: case <case@example.invalid>\nDescription: a case\n' \
        $version >pkg/DEBIAN/control
    dpkg-deb --root-owner-group -b pkg "case-$version.deb" >/dev/null
    dpkg --root="$d/root" --force-not-root --log=/dev/null -i "case-$version.deb" >/dev/null
done
dpkg --root="$d/root" -L case | tail -n 1
dpkg-deb -c case-1.1.deb | wc -l
dpkg --root="$d/root" --log=/dev/null -r case >/dev/null
test ! -e root/usr/share/case/data
