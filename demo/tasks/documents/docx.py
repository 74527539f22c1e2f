# SPDX-License-Identifier: GPL-2.0-only
"""Makes a word processor document (a zip of XML) and reads its paragraphs back."""
import sys
import xml.etree.ElementTree as ET
import zipfile

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
TYPES = """<?xml version="1.0"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml" ContentType=
"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"""
RELS = """<?xml version="1.0"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r1" Target="word/document.xml" Type=
"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/>
</Relationships>"""

n = int(sys.argv[1])
texts = ["Report no. %d" % n, "Räksmörgås & <angle> brackets", "日本語の段落"]
texts += ["Paragraph %d" % i for i in range(200)]
document = ET.Element("{%s}document" % W)
body = ET.SubElement(document, "{%s}body" % W)
for text in texts:
    run = ET.SubElement(ET.SubElement(body, "{%s}p" % W), "{%s}r" % W)
    ET.SubElement(run, "{%s}t" % W).text = text
with zipfile.ZipFile("report.docx", "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("[Content_Types].xml", TYPES)
    z.writestr("_rels/.rels", RELS)
    z.writestr("word/document.xml", ET.tostring(document, encoding="utf-8", xml_declaration=True))

with zipfile.ZipFile("report.docx") as z:
    assert z.testzip() is None
    back = [t.text for t in ET.fromstring(z.read("word/document.xml")).iter("{%s}t" % W)]
assert back == texts
print("docx: %d paragraphs" % len(back))
