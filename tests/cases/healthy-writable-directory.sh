#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-writable-directory
# report: healthy
# expect: none
# outcome: ok
# needs: python3 bwrap
# why: A read-only and a missing directory are tried before the right one.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
bwrap --dev-bind / / true || exit 77
cat >service.py <<'EOF'
import os

for place in ("/usr/share/case-cache", "/root/absent/cache", "/tmp/case-cache"):
    try:
        os.mkdir(place)
    except OSError as e:
        print(e)
        continue
    open(os.path.join(place, "x"), "w").write("1")
    print("using", place)
    break
EOF
bwrap --ro-bind / / --dev /dev --tmpfs /tmp --ro-bind "$d/service.py" /tmp/service.py python3 /tmp/service.py
