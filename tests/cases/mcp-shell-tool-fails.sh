#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-shell-tool-fails
# report: own
# expect: level=workload primitive=exit cause=non-zero
# outcome: failed
# needs: python3
# why: The tool runs the agent's tests, one of which fails; it says so, and the agent ends with their status.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >test_sum.py <<'END'
import unittest

class Sum(unittest.TestCase):
    def test_two(self):
        self.assertEqual(sum([1, 1]), 2)

    def test_three(self):
        self.assertEqual(sum([1, 1, 1]), 4)
END
cat >server.py <<'END'
import subprocess
from mcp_stdio import serve

def shell(command):
    p = subprocess.run(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return "exit status %d\n%s" % (p.returncode, p.stdout.decode())

serve({"shell": shell})
END
cat >agent.py <<'END'
import sys
from mcp_stdio import Client

agent = Client("python3", "server.py")
report = agent.text("shell", command="python3 -m unittest test_sum")
agent.close()
print(report)
sys.exit(int(report.split()[2]))
END
python3 agent.py
