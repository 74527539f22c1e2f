#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tests-pytest-real-cause
# report: own
# expect: level=sandbox primitive=read-only cause=mount
# subject: result
# outcome: failed
# needs: python3 pytest bwrap
# why: Of several refusals the one counts that the runner names on its standard output.
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

def test_save():
    with open("data/result", "w") as f:
        f.write("x")
EOF
mkdir data
bwrap --dev-bind / / --ro-bind "$d/data" "$d/data" python3 -m pytest -q -p no:cacheprovider
