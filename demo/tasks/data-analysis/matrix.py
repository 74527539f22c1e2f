# SPDX-License-Identifier: GPL-2.0-only
"""A large sparse matrix in one anonymous mapping, of which only a few pages are ever touched."""
import mmap
import struct
import sys

ROWS = COLUMNS = 12000
CELL = struct.Struct("<i")

n = int(sys.argv[1])
cells = mmap.mmap(-1, ROWS * COLUMNS * CELL.size)
touched = {}
for i in range(2000):
    row, column = (i * 37 + n) % ROWS, (i * i) % COLUMNS
    CELL.pack_into(cells, (row * COLUMNS + column) * CELL.size, i + 1)
    touched[row, column] = i + 1
for (row, column), value in touched.items():
    assert CELL.unpack_from(cells, (row * COLUMNS + column) * CELL.size) == (value,)
assert CELL.unpack_from(cells, (11999 * COLUMNS + 11999) * CELL.size) == (0,)
print("matrix: %d of %d cells set" % (len(touched), ROWS * COLUMNS))
