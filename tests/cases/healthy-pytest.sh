#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-pytest
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: python3 pytest
# why: A suite passes in which a refused write and a missing file are what is expected.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >test_case.py <<'END'
import os, subprocess, sys
import pytest

def test_missing(tmp_path):
    with pytest.raises(FileNotFoundError):
        open(tmp_path / "absent")

def test_status():
    assert subprocess.run([sys.executable, "-c", "import sys; sys.exit(3)"]).returncode == 3

def test_directory(tmp_path):
    with pytest.raises(IsADirectoryError):
        open(tmp_path, "w")

@pytest.mark.skipif(not os.path.exists("/no/such/device"), reason="no device")
def test_device():
    assert False
END
python3 -m pytest -q -p no:cacheprovider
