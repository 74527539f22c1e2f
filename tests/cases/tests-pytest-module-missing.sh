#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tests-pytest-module-missing
# report: own
# expect: level=sandbox primitive=library cause=module
# subject: absent_yaml
# outcome: failed
# needs: python3 pytest
# why: Collection fails for a module that is not installed; another module that is absent is caught.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >test_a.py <<'EOF'
try:
    import absent_ujson as json
except ImportError:
    import json
def test_a(): assert json.loads("1") == 1
EOF
cat >test_b.py <<'EOF'
import absent_yaml
def test_b(): assert absent_yaml
EOF
python3 -m pytest -q -p no:cacheprovider
