# SPDX-License-Identifier: GPL-2.0-only
"""Trains embeddings, saves them as a checkpoint, and goes on from what was loaded."""
import array
import random
import sys
import zlib

ROWS, WIDTH = 1000, 32

rng = random.Random(int(sys.argv[1]))
weights = array.array("d", (rng.gauss(0, 1) for _ in range(ROWS * WIDTH)))
for step in range(6):
    for i in range(step, len(weights), 6):
        weights[i] *= 0.9

with open("model.bin", "wb") as f:
    data = weights.tobytes()
    f.write(zlib.crc32(data).to_bytes(4, "little"))
    for at in range(0, len(data), 16384):
        f.write(data[at:at + 16384])

with open("model.bin", "rb") as f:
    crc = int.from_bytes(f.read(4), "little")
    data = f.read()
assert zlib.crc32(data) == crc, "damaged checkpoint"
loaded = array.array("d", data)
assert loaded == weights
print("checkpoint: %d weights, %d bytes" % (len(loaded), len(data) + 4))
