#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-third-directory
# report: healthy
# expect: none
# outcome: ok
# needs: python3 setpriv
# why: Two directories are refused to an ordinary user, the third is its own.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
mkdir own && chown 48217:48217 own || exit 77
cat >service.py <<'EOF'
import os

for place in ("/root/.cache/service", "/var/lib/service", os.path.abspath("own/service")):
    try:
        os.mkdir(place)
        print("using", place)
        break
    except PermissionError as e:
        print(e)
EOF
setpriv --reuid=48217 --regid=48217 --clear-groups python3 service.py
