# SPDX-License-Identifier: GPL-2.0-only
"""A session with an interpreter that stays: cells go in by a pipe, answers come back in order."""
import json
import subprocess
import sys
import time

KERNEL = """
import json, sys
state = {}
for line in sys.stdin:
    cell = json.loads(line)
    try:
        try:
            answer = repr(eval(cell, state))
        except SyntaxError:
            exec(cell, state)
            answer = "done"
    except Exception as e:
        answer = type(e).__name__
    print(json.dumps(answer), flush=True)
"""

n = int(sys.argv[1])
kernel = subprocess.Popen([sys.executable, "-c", KERNEL], text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def cell(code):
    kernel.stdin.write(json.dumps(code) + "\n")
    kernel.stdin.flush()
    time.sleep(0.1)  # people read, too
    return json.loads(kernel.stdout.readline())


assert cell("import math, os") == "done"
assert cell("rows = [k * %d for k in range(1000)]" % n) == "done"
assert cell("sum(rows)") == str(499500 * n)
assert cell("open('no-such-file.csv')") == "FileNotFoundError"
assert cell("open('rows.csv', 'w').write('\\n'.join(map(str, rows))) > 0") == "True"
assert cell("len(open('rows.csv').read().splitlines())") == "1000"
assert cell("1 / 0") == "ZeroDivisionError"
assert cell("os.path.exists('rows.csv')") == "True"
for k in range(6):
    assert cell("math.comb(%d, 2)" % (k + n + 2)) == str((k + n + 2) * (k + n + 1) // 2)
kernel.stdin.close()
assert kernel.wait() == 0
print("repl: 14 cells")
