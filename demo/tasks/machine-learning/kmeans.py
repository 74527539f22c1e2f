# SPDX-License-Identifier: GPL-2.0-only
"""Finds three clusters that lie far apart."""
import math
import random
import sys

rng = random.Random(int(sys.argv[1]))
truth = [(0, 0), (10, 0), (5, 9)]
points = [(cx + rng.gauss(0, 0.6), cy + rng.gauss(0, 0.6)) for cx, cy in truth for _ in range(400)]
centres = [points[0]]
while len(centres) < 3:  # the farthest point so far, which is in a cluster of its own
    centres.append(max(points, key=lambda p: min(math.dist(p, c) for c in centres)))
for step in range(20):
    groups = [[], [], []]
    for p in points:
        groups[min(range(3), key=lambda k: math.dist(p, centres[k]))].append(p)
    centres = [(sum(p[0] for p in g) / len(g), sum(p[1] for p in g) / len(g)) for g in groups]
for t in truth:
    assert min(math.dist(t, c) for c in centres) < 0.3, centres
assert sorted(len(g) for g in groups) == [400, 400, 400]
print("kmeans:", ["(%.2f, %.2f)" % c for c in sorted(centres)])
