# SPDX-License-Identifier: GPL-2.0-only
"""Fits a plane by stochastic gradient descent and must come near the true weights."""
import random
import sys

rng = random.Random(int(sys.argv[1]))
truth = [2.0, -3.0, 0.5]
data = []
for _ in range(600):
    x = [rng.uniform(-1, 1), rng.uniform(-1, 1), 1.0]
    data.append((x, sum(w * v for w, v in zip(truth, x)) + rng.gauss(0, 0.01)))
weights = [0.0, 0.0, 0.0]
for epoch in range(40):
    rng.shuffle(data)
    for x, y in data:
        error = sum(w * v for w, v in zip(weights, x)) - y
        weights = [w - 0.05 * error * v for w, v in zip(weights, x)]
with open("weights.txt", "w") as f:
    f.write(" ".join("%.6f" % w for w in weights))
got = [float(w) for w in open("weights.txt").read().split()]
assert max(abs(a - b) for a, b in zip(got, truth)) < 0.05, got
print("regression:", " ".join("%.3f" % w for w in got))
