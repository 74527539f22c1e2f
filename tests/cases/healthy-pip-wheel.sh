#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-pip-wheel
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: python3 pip
# why: A wheel is installed into a virtual environment without an index, listed and taken out again.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
export HOME="$d" PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INDEX=1 PIP_CACHE_DIR="$d/cache"
python3 - <<'END'
import zipfile
with zipfile.ZipFile("case_pkg-1.0-py3-none-any.whl", "w") as z:
    z.writestr("case_pkg.py", "ANSWER = 42\n")
    z.writestr("case_pkg-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: case-pkg\nVersion: 1.0\n")
    z.writestr("case_pkg-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    z.writestr("case_pkg-1.0.dist-info/RECORD", "")
END
python3 -m venv --without-pip v
python3 -m pip -q --python v/bin/python install ./case_pkg-1.0-py3-none-any.whl
v/bin/python -c 'import case_pkg; print(case_pkg.ANSWER)'
python3 -m pip --python v/bin/python list
python3 -m pip -q --python v/bin/python uninstall -y case-pkg
python3 -m pip -q --python v/bin/python install no-such-package 2>/dev/null || echo 'no such package'
