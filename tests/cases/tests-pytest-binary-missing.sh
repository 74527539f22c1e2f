#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tests-pytest-binary-missing
# report: own
# expect: level=sandbox primitive=binary cause=not-found
# subject: case-render
# outcome: failed
# needs: python3 pytest
# why: A test needs a program that is not there; others provoke others.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >test_x.py <<'EOF'
import os, socket, subprocess, pytest
def test_a():
    with pytest.raises(FileNotFoundError):
        open("settings.toml")
def test_render():
    out = subprocess.run(["case-render", "--version"], capture_output=True, check=True)
    assert out.returncode == 0
def test_z():
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", 9))
    with pytest.raises(FileNotFoundError):
        subprocess.run(["/opt/absent/tool"])
EOF
python3 -m pytest -q -p no:cacheprovider
