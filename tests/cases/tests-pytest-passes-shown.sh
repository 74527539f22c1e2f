#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tests-pytest-passes-shown
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3 pytest
# why: An assertion fails; the refusal is shown as the output of a test that passed.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >test_x.py <<'EOF'
import socket, subprocess
def test_ok():
    try: socket.create_connection(("127.0.0.1", 9))
    except OSError as e: print("error:", e)
def test_count():
    out = subprocess.run(["grep", "-c", "def", __file__], capture_output=True, text=True).stdout
    assert out.strip() == "5"
EOF
python3 -m pytest -rA -q -p no:cacheprovider
