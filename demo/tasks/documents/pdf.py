# SPDX-License-Identifier: GPL-2.0-only
"""Writes a PDF of several pages by hand and follows its cross references back."""
import re
import sys
import zlib

n = int(sys.argv[1])
pages = 3 + n % 4
objects = ["<< /Type /Catalog /Pages 2 0 R >>",
           "<< /Type /Pages /Count %d /Kids [%s] >>"
           % (pages, " ".join("%d 0 R" % (4 + 2 * i) for i in range(pages))),
           "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
for i in range(pages):
    objects.append("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
                   "/Resources << /Font << /F1 3 0 R >> >> >>" % (5 + 2 * i))
    objects.append(zlib.compress(b"BT /F1 18 Tf 72 720 Td (Report %d, page %d) Tj ET" % (n, i + 1)))
with open("report.pdf", "wb") as f:
    f.write(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(f.tell())
        if isinstance(body, bytes):
            head = b"<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(body)
            body = head + body + b"\nendstream"
        else:
            body = body.encode()
        f.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    xref = f.tell()
    f.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    f.writelines(b"%010d 00000 n \n" % o for o in offsets)
    f.write(b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
            % (len(objects) + 1, xref))

data = open("report.pdf", "rb").read()
start = int(re.search(rb"startxref\n(\d+)\n", data).group(1))
table = re.findall(rb"(\d{10}) 00000 n", data[start:])
for number, at in enumerate(table, 1):
    assert data[int(at):].startswith(b"%d 0 obj" % number), number
texts = [zlib.decompress(s) for s in re.findall(rb"stream\n(.*?)\nendstream", data, re.S)]
assert len(texts) == pages and b"page %d" % pages in texts[-1]
print("pdf: %d pages, %d bytes" % (pages, len(data)))
