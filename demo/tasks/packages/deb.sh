# SPDX-License-Identifier: GPL-2.0-only
# Builds a Debian package, looks into it, unpacks it, and runs what it brought.
set -eu
n=$1
mkdir -p pkg/DEBIAN pkg/usr/bin pkg/usr/share/doc/tally
cat >pkg/DEBIAN/control <<EOF
Package: tally
Version: 1.$n
Architecture: all
Maintainer: Demo <demo@example.invalid>
Description: counts its arguments
EOF
printf '#!/bin/sh\necho "tally: $# things"\n' >pkg/usr/bin/tally
chmod 755 pkg/usr/bin/tally
gzip -9n <pkg/DEBIAN/control >pkg/usr/share/doc/tally/control.gz
dpkg-deb --root-owner-group --build pkg "tally_1.$n.deb" >/dev/null
[ "$(dpkg-deb --field "tally_1.$n.deb" Version)" = "1.$n" ]
dpkg-deb --contents "tally_1.$n.deb" | grep -q ' ./usr/bin/tally$'
dpkg-deb --extract "tally_1.$n.deb" root
[ "$(root/usr/bin/tally a b c)" = 'tally: 3 things' ]
gunzip -c root/usr/share/doc/tally/control.gz | cmp - pkg/DEBIAN/control
echo "deb: tally_1.$n.deb built, unpacked and run"
