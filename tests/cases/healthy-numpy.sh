#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-numpy
# report: healthy
# expect: none
# outcome: ok
# needs: python3 numpy
# why: numpy starts its threads and inverts a matrix.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >invert.py <<'EOF'
import numpy

print(numpy.linalg.inv(numpy.random.rand(300, 300)).shape)
EOF
python3 invert.py
