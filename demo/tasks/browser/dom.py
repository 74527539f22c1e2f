# SPDX-License-Identifier: GPL-2.0-only
"""A page that builds itself by script; its final DOM must hold what the script computed."""
import os
import sys

import chromium

n = int(sys.argv[1])
with open("page.html", "w") as f:
    f.write("""<!doctype html><meta charset=utf-8><title>table</title><table id=t></table><script>
const t = document.getElementById('t');
let total = 0;
for (let i = 1; i <= 50; i++) {
  const row = t.insertRow();
  row.insertCell().textContent = 'row ' + i;
  row.insertCell().textContent = i * %d;
  total += i * %d;
}
document.title = 'total ' + total;
</script>""" % (n + 1, n + 1))
dom = chromium.run("file://%s/page.html" % os.getcwd(), "--dump-dom")
assert dom.count("<tr>") == 50
assert "<title>total %d</title>" % (1275 * (n + 1)) in dom
print("dom: 50 rows, total", 1275 * (n + 1))
