# SPDX-License-Identifier: GPL-2.0-only
"""Two visits with one profile: what the first left in the browser's storage, the second finds."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser"))
import chromium

with open("page.html", "w") as f:
    f.write("""<!doctype html><p id=o></p><script>
const visits = Number(localStorage.visits || %s) + 1;
localStorage.visits = visits;
document.getElementById('o').textContent = 'visit ' + visits;
</script>""" % sys.argv[1])
url = "file://%s/page.html" % os.getcwd()
n = int(sys.argv[1])
for visit in (n + 1, n + 2):
    dom = chromium.run(url, "--dump-dom", "--timeout=1000")
    assert "visit %d<" % visit in dom, dom
print("browse: two visits, one memory")
