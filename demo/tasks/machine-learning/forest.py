# SPDX-License-Identifier: GPL-2.0-only
"""Grows decision stumps in worker processes and lets them vote."""
import multiprocessing
import random
import sys


def sample(rng, count):
    points = [(rng.random(), rng.random()) for _ in range(count)]
    return [(p, p[0] + p[1] > 1) for p in points]


def grow(seed):
    rng = random.Random(seed)
    data = sample(rng, 300)
    axis, best = seed % 2, (0, 0.5)
    for cut in (i / 20 for i in range(1, 20)):
        right = sum((p[axis] > cut) == label for p, label in data)
        best = max(best, (right, cut))
    return axis, best[1]


if __name__ == "__main__":
    n = int(sys.argv[1])
    with multiprocessing.Pool(3) as pool:
        stumps = pool.map(grow, range(n, n + 12))
    test = sample(random.Random(n + 1000), 600)
    right = 0
    for p, label in test:
        votes = sum(p[axis] > cut for axis, cut in stumps)
        right += (votes * 2 >= len(stumps)) == label
    assert right / len(test) > 0.65, right / len(test)
    print("forest: %d stumps, %.2f right" % (len(stumps), right / len(test)))
