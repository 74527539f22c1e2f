# SPDX-License-Identifier: GPL-2.0-only
"""Compiles a native extension into the build directory, loads it, and asks it a question."""
import ctypes
import os
import subprocess
import sys

n = int(sys.argv[1])
os.makedirs("build", exist_ok=True)
with open("native.c", "w") as f:
    f.write("int scale(int x) { return x * %d + 1; }\n" % (n + 2))
subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-o", "build/libnative.so", "native.c"],
               check=True)
library = ctypes.CDLL(os.path.abspath("build/libnative.so"))
assert library.scale(20) == 20 * (n + 2) + 1
print("native: extension loaded, scale(20) =", library.scale(20))
