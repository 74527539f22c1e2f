# SPDX-License-Identifier: GPL-2.0-only
"""Appends records to a journal that rotates, then reads all of it back."""
import os
import sys
import zlib

n = int(sys.argv[1])
records = [b"record %d of %d: %s" % (i, n, os.urandom(8).hex().encode()) for i in range(400)]
segment = 0
out = open("journal.0", "wb")
for i, record in enumerate(records):
    out.write(b"%08x %s\n" % (zlib.crc32(record), record))
    if (i + 1) % 100 == 0:
        out.flush()
        os.fsync(out.fileno())
        out.close()
        os.rename("journal.%d" % segment, "journal.%d.done" % segment)
        segment += 1
        out = open("journal.%d" % segment, "wb")
out.close()

back = []
for i in range(segment):
    with open("journal.%d.done" % i, "rb") as f:
        for line in f:
            crc, record = line.rstrip(b"\n").split(b" ", 1)
            assert int(crc, 16) == zlib.crc32(record), "damaged record"
            back.append(record)
assert back == records
print("journal: %d records in %d segments" % (len(back), segment))
