#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tests-pytest-one-fails
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3 pytest
# why: The runner tells on its standard output that an assertion failed; what other tests provoked is theirs.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >test_errors.py <<'EOF'
import os, socket, subprocess
import pytest

def test_missing():
    with pytest.raises(FileNotFoundError):
        open("~/absent")

def test_refused():
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", 9))

def test_proc():
    with pytest.raises(OSError):
        os.kill(1 << 21, 0)

def test_directory():
    with pytest.raises(FileNotFoundError):
        subprocess.run(["ls"], cwd="/absent")

def test_sum():
    assert 1 + 1 == 3
EOF
python3 -m pytest -q -p no:cacheprovider
