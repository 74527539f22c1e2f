# SPDX-License-Identifier: GPL-2.0-only
"""An agent's session: it edits, runs tests, reads what they say, mends, and thinks in between."""
import subprocess
import sys
import time

THINK = 0.5

n = int(sys.argv[1])
bugs = ["x - y", "x * x", "x + x", "x + y"]
transcript = []


def tool(command):
    got = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    transcript.append((command, got.returncode))
    return got


tool("mkdir -p src && echo 'session %d' >notes.md" % n)
for turn in range(12):
    time.sleep(THINK)  # stands for the model
    with open("src/calc.py", "w") as f:
        f.write("def plus(x, y):\n    return %s\n" % bugs[min(turn // 3, 3)])
    test = tool("python3 -B -c 'import sys; sys.path.insert(0, \"src\"); import calc; "
                "assert calc.plus(%d, 3) == %d' 2>test.log" % (n + 2, n + 5))
    if test.returncode:
        tool("grep -c AssertionError test.log >>notes.md")
    else:
        tool("echo turn %d passes >>notes.md" % turn)
assert transcript[-1][0].startswith("echo turn 11"), transcript[-1]
print("agent: %d tool calls in 12 turns" % len(transcript))
