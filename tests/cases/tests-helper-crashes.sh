#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tests-helper-crashes
# report: own
# expect: level=workload primitive=crash cause=signal
# outcome: failed
# needs: python3 gcc
# why: A test's helper segfaults; the runner reports on stdout and exits 1; other refusals are expected.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
ulimit -c 0
cat >a.c <<'EOF'
int main(void){ volatile int *p = 0; return *p; }
EOF
gcc -o crashy a.c
cat >p.py <<'EOF'
import subprocess, sys, socket
try: socket.create_connection(("127.0.0.1", 9))
except OSError as e: print("ok 1 - refused as wanted:", e)
r = subprocess.run(["./crashy"])
print("not ok 2 - crashy ended with", r.returncode); sys.exit(1)
EOF
python3 p.py
