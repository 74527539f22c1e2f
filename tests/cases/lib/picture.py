# SPDX-License-Identifier: GPL-2.0-only
"""picture.py FILE SIDE: write a valid PNG of SIDE x SIDE pixels, the same picture every time."""
import struct, sys, zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(side):
    value, rows = 1, bytearray()
    for _ in range(side):
        rows.append(0)  # no line filter
        for _ in range(3 * side):
            value = (value * 1103515245 + 12345) % 2**31
            rows.append(value >> 16 & 255)
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows, 6))
        + chunk(b"IEND", b"")
    )


with open(sys.argv[1], "wb") as f:
    f.write(png(int(sys.argv[2])))
