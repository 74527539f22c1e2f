# SPDX-License-Identifier: GPL-2.0-only
"""Builds a wheel with its RECORD, unpacks it as an installer would, and imports it."""
import base64
import hashlib
import os
import subprocess
import sys
import zipfile

n = sys.argv[1]
name = "shapes%s" % n
code = "VERSION = '1.%s'\n\ndef area(w, h):\n    return w * h\n" % n
info = "%s-1.%s.dist-info" % (name, n)
files = {
    "%s/__init__.py" % name: code,
    "%s/METADATA" % info: "Metadata-Version: 2.1\nName: %s\nVersion: 1.%s\n" % (name, n),
    "%s/WHEEL" % info: "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
}


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


record = "".join("%s,sha256=%s,%d\n" % (k, digest(v.encode()), len(v)) for k, v in files.items())
wheel = "%s-1.%s-py3-none-any.whl" % (name, n)
os.makedirs("dist", exist_ok=True)
with zipfile.ZipFile(os.path.join("dist", wheel), "w", zipfile.ZIP_DEFLATED) as z:
    for path, text in files.items():
        z.writestr(path, text)
    z.writestr("%s/RECORD" % info, record + "%s/RECORD,,\n" % info)

with zipfile.ZipFile(os.path.join("dist", wheel)) as z:
    for line in z.read("%s/RECORD" % info).decode().splitlines():
        path, hashed, _ = line.split(",")
        if hashed:
            assert hashed == "sha256=" + digest(z.read(path)), path
    z.extractall("site")
got = subprocess.run(
    [sys.executable, "-c", "import %s as m; print(m.VERSION, m.area(6, 7), m.__file__)" % name],
    env={"PYTHONPATH": os.path.abspath("site")}, check=True, capture_output=True, text=True)
assert got.stdout.startswith("1.%s 42 %s" % (n, os.path.abspath("site"))), got.stdout
print("wheel: installed", wheel)
