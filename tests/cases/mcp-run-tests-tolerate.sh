#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-run-tests-tolerate
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3 bwrap
# why: The tests that the tool runs are refused a cache, which they can do without; the one that fails, fails by itself.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
mkdir out
bwrap --dev-bind / / true || exit 77
cat >test_sum.py <<'END'
import os
import unittest

try:
    os.mkdir("out/cache")
except OSError as e:
    print("no cache:", e)

class Sum(unittest.TestCase):
    def test_three(self):
        self.assertEqual(sum([1, 1, 1]), 4)
END
cat >server.py <<'END'
import subprocess
from mcp_stdio import serve

def run_command(command):
    p = subprocess.run(command, shell=True, capture_output=True, text=True)
    return {"exitCode": p.returncode, "stdout": p.stdout, "stderr": p.stderr}

serve({"run_command": run_command})
END
cat >agent.py <<'END'
import os
import sys
from mcp_stdio import Client

out = os.path.abspath("out")
agent = Client("bwrap", "--dev-bind", "/", "/", "--ro-bind", out, out, "--", "python3", "server.py")
ran = agent.call("run_command", command="python3 -m unittest test_sum")["structuredContent"]
agent.close()
sys.exit(ran["exitCode"])
END
python3 agent.py
