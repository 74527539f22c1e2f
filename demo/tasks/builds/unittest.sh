# SPDX-License-Identifier: GPL-2.0-only
# A Python project's own tests, of which one looks for errors on purpose.
set -eu
n=$1
mkdir -p store tests
: >tests/__init__.py
cat >store/__init__.py <<'EOF'
import json, os

class Store:
    def __init__(self, path):
        self.path = path
        os.makedirs(path, exist_ok=True)

    def put(self, key, value):
        with open(os.path.join(self.path, key), "x") as f:
            json.dump(value, f)

    def get(self, key):
        with open(os.path.join(self.path, key)) as f:
            return json.load(f)
EOF
cat >tests/test_store.py <<EOF
import tempfile, unittest
from store import Store

class StoreTest(unittest.TestCase):
    def setUp(self):
        d = tempfile.TemporaryDirectory()
        self.addCleanup(d.cleanup)
        self.store = Store(d.name + "/data")

    def test_round_trip(self):
        self.store.put("a", {"n": $n})
        self.assertEqual(self.store.get("a"), {"n": $n})

    def test_missing_key(self):
        self.assertRaises(FileNotFoundError, self.store.get, "b")

    def test_put_twice(self):
        self.store.put("c", 1)
        self.assertRaises(FileExistsError, self.store.put, "c", 2)
EOF
python3 -m unittest discover -q -t . -s tests 2>report.txt || { cat report.txt >&2; exit 1; }
grep -q '^Ran 3 tests' report.txt
echo "unittest: $(grep '^Ran' report.txt)"
