#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tolerated-many-then-fails
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: bash python3 curl setpriv
# why: Five refusals are forgiven, then a test fails.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
[ "$(id -u)" = 0 ] || exit 77
chmod 755 "$d"
cat >test_sum.py <<'EOF'
import unittest

class Sum(unittest.TestCase):
    def test_sum(self):
        self.assertEqual(1 + 1, 3)
EOF
cat >check.sh <<'EOF'
cat /etc/shadow || true
touch /usr/stamp 2>/dev/null || true
mkdir /root/cache || echo 'no cache'
ls /root/cache || true
curl --noproxy '*' -s http://127.0.0.1:9/ || true
python3 -m unittest -q test_sum
EOF
setpriv --reuid=48217 --regid=48217 --clear-groups bash check.sh
