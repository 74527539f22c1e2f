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
dom = chromium.run(url, "--dump-dom")
assert "visit %d<" % (n + 1) in dom, dom
for _ in range(10):  # a browser on a busy machine may end before it has written its storage
    dom = chromium.run(url, "--dump-dom")
    if "visit %d<" % (n + 2) in dom:
        break
else:
    raise AssertionError(dom)
print("browse: two visits, one memory")
