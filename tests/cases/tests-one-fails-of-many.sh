#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tests-one-fails-of-many
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3
# why: Tests that expect platform errors pass, then one assertion fails.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >test_errors.py <<'EOF'
import socket, subprocess, unittest

class Errors(unittest.TestCase):
    def test_missing(self):
        with self.assertRaises(FileNotFoundError):
            open("~/absent")

    def test_refused(self):
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", 9))

    def test_directory(self):
        with self.assertRaises(FileNotFoundError):
            subprocess.run(["ls"], cwd="/absent")

    def test_sum(self):
        self.assertEqual(1 + 1, 3)
EOF
python3 -m unittest -q
