#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tests-pytest-worker-crashes
# report: own
# expect: level=workload primitive=crash cause=signal
# outcome: failed
# needs: python3 pytest gcc
# why: A C helper of a test crashes with SIGSEGV; subprocess.CalledProcessError names it.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
ulimit -c 0
echo 'int main(void){ volatile int *p = 0; return *p; }' >c.c; gcc -o crashy c.c
cat >test_x.py <<'EOF'
import subprocess, socket, pytest
def test_a():
    with pytest.raises(OSError): socket.create_connection(("127.0.0.1", 9))
def test_crash(): subprocess.run(["./crashy"], check=True)
def test_z():
    with pytest.raises(FileNotFoundError): open("/absent")
EOF
python3 -m pytest -q -p no:cacheprovider
