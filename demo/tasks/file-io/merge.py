# SPDX-License-Identifier: GPL-2.0-only
"""Sorts more numbers than it wants to hold at once: sorted runs, all open, and one merge."""
import heapq
import os
import random
import sys
import tempfile

RUNS, LENGTH = 48, 400

rng = random.Random(int(sys.argv[1]))
os.makedirs("runs", exist_ok=True)
total = 0
names = []
for i in range(RUNS):
    run = sorted(rng.randrange(10**9) for _ in range(LENGTH))
    total += sum(run)
    with tempfile.NamedTemporaryFile("w", dir="runs", suffix=".run", delete=False) as f:
        f.writelines("%d\n" % x for x in run)
    names.append(f.name)

files = [open(name) for name in names]
with open("sorted.txt", "w") as out:
    out.writelines(heapq.merge(*files, key=int))
for f in files:
    f.close()
    os.unlink(f.name)

last = count = check = 0
for line in open("sorted.txt"):
    x = int(line)
    assert x >= last, "out of order"
    last, count, check = x, count + 1, check + x
assert (count, check) == (RUNS * LENGTH, total)
print("merge: %d numbers from %d runs" % (count, RUNS))
