#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tests-expect-errors
# report: own
# expect: none
# outcome: ok
# needs: python3
# why: A suite provokes errors of every kind and passes.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
ulimit -c 0
cat >test_errors.py <<'EOF'
import os, signal, socket, subprocess, unittest

class Errors(unittest.TestCase):
    def test_missing(self):
        with self.assertRaises(FileNotFoundError):
            open("absent")

    def test_tilde(self):
        with self.assertRaises(FileNotFoundError):
            open("~/absent")

    def test_carriage_return(self):
        with self.assertRaises(FileNotFoundError):
            open("a\r")

    def test_long_name(self):
        with self.assertRaises(OSError):
            open("a" * 300)

    def test_directory(self):
        with self.assertRaises(FileNotFoundError):
            subprocess.run(["ls"], cwd="/absent")

    def test_long_argument(self):
        with self.assertRaises(OSError):
            subprocess.run(["ls", "x" * 200000])

    def test_command(self):
        with self.assertRaises(FileNotFoundError):
            subprocess.run(["case-tool"])

    def test_refused(self):
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", 9))

    def test_killed(self):
        child = subprocess.Popen(["sleep", "9"])
        child.send_signal(signal.SIGKILL)
        self.assertEqual(child.wait(), -signal.SIGKILL)

    def test_crash(self):
        self.assertEqual(subprocess.run(["sh", "-c", "kill -SEGV $$"]).returncode, -signal.SIGSEGV)

    def test_pipe(self):
        reader, writer = os.pipe()
        os.close(reader)
        with self.assertRaises(BrokenPipeError):
            os.write(writer, b"x")

    def test_full(self):
        with self.assertRaises(OSError), open("/dev/full", "wb", 0) as f:
            f.write(b"x")
EOF
python3 -W ignore -m unittest -q
