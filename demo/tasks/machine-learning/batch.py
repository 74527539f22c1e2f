# SPDX-License-Identifier: GPL-2.0-only
"""Holds a whole training set in memory, normalises it in place, and checks mean and spread."""
import array
import sys

n = int(sys.argv[1])
size = 5_000_000  # 40 MB, and as much again while it is being made
features = array.array("d", bytes(8 * size))
block = array.array("d", (float((i * 31 + n) % 1000) for i in range(50_000)))
for at in range(0, size, len(block)):
    features[at:at + len(block)] = block
copy = features[:]
mean = sum(block) / len(block)
for i in range(0, size, 997):
    copy[i] = features[i] - mean
assert len(copy) == size
assert abs(sum(copy[i] for i in range(0, size, 997)) / (size // 997 + 1)) < 5
print("batch: normalised", size, "features")
