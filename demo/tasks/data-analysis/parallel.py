# SPDX-License-Identifier: GPL-2.0-only
"""Counts words of many small files with a pool of threads."""
import collections
import concurrent.futures
import os
import sys

n = int(sys.argv[1])
words = ["alpha", "beta", "gamma", "delta", "epsilon"]
os.makedirs("texts", exist_ok=True)
for i in range(40):
    with open("texts/%d.txt" % i, "w") as f:
        f.write(" ".join(words[(i * n + k) % 5] for k in range(500)))


def count(name):
    with open(os.path.join("texts", name)) as f:
        return collections.Counter(f.read().split())


total = collections.Counter()
with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
    for part in pool.map(count, sorted(os.listdir("texts"))):
        total += part
assert dict(total) == {w: 4000 for w in words}, total
print("parallel: counted", sum(total.values()), "words")
