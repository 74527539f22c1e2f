# SPDX-License-Identifier: GPL-2.0-only
"""Recovers a matrix of low rank from noise with numpy, and saves its factors."""
import sys

import numpy as np

rng = np.random.default_rng(int(sys.argv[1]))
truth = rng.normal(size=(150, 4)) @ rng.normal(size=(4, 100))
seen = truth + rng.normal(scale=0.05, size=truth.shape)
u, s, v = np.linalg.svd(seen, full_matrices=False)
np.savez("factors.npz", u=u[:, :4], s=s[:4], v=v[:4])
with np.load("factors.npz") as f:
    again = f["u"] * f["s"] @ f["v"]
error = np.abs(again - truth).mean()
assert s[3] > 10 * s[4], s[:6]
assert error < 0.02, error
print("lowrank: rank 4 found, error %.4f" % error)
