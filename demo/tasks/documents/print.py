# SPDX-License-Identifier: GPL-2.0-only
"""Prints a styled page to PDF with the browser."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser"))
import chromium

n = int(sys.argv[1])
with open("letter.html", "w") as f:
    f.write("<style>@page { size: A5 } .p { page-break-after: always }</style>")
    f.writelines("<div class=p><h1>Sheet %d</h1>Number %d</div>" % (i, n) for i in range(3))
chromium.run("file://%s/letter.html" % os.getcwd(), "--print-to-pdf=letter.pdf",
             "--no-pdf-header-footer")
with open("letter.pdf", "rb") as f:
    data = f.read()
assert data.startswith(b"%PDF-") and data.rstrip().endswith(b"%%EOF")
assert len(re.findall(rb"/Type\s*/Page\b", data)) >= 3
print("print: %d bytes of PDF" % len(data))
