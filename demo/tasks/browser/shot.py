# SPDX-License-Identifier: GPL-2.0-only
"""A screenshot of a page, of which the size and two colours are checked in the picture itself."""
import os
import struct
import sys
import zlib

import chromium

n = int(sys.argv[1])
width, height = 320 + 10 * n, 200
with open("page.html", "w") as f:
    f.write("<body style='margin:0;background:#204080'>"
            "<div style='width:50px;height:50px;background:#ff8000'></div>")
chromium.run("file://%s/page.html" % os.getcwd(), "--screenshot=shot.png", "--hide-scrollbars",
             "--window-size=%d,%d" % (width, height))
with open("shot.png", "rb") as f:
    data = f.read()
assert data.startswith(b"\x89PNG\r\n\x1a\n")
at, pixels, head = 8, b"", None
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at:at + 8])
    if kind == b"IHDR":
        head = struct.unpack(">IIBBBBB", data[at + 8:at + 8 + size])
    elif kind == b"IDAT":
        pixels += data[at + 8:at + 8 + size]
    at += 12 + size
assert head[:2] == (width, height), head
step = {2: 3, 6: 4}[head[3]]
row = zlib.decompress(pixels)[1:1 + width * step]  # the first row: its filter has no row above
assert row[:3] == b"\xff\x80\x00", row[:3]
print("shot: %d x %d pixels" % (width, height))
