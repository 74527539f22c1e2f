# SPDX-License-Identifier: GPL-2.0-only
"""Draws on a canvas, hashes with WebCrypto, and hands both back in the DOM."""
import hashlib
import os
import re
import sys

import chromium

n = sys.argv[1]
with open("page.html", "w") as f:
    f.write("""<!doctype html><pre id=o></pre><canvas id=c width=64 height=64></canvas><script>
const c = document.getElementById('c').getContext('2d');
c.fillStyle = '#0a0';
c.fillRect(0, 0, 32, 64);
const p = c.getImageData(0, 0, 64, 64).data;
let green = 0;
for (let i = 0; i < p.length; i += 4) if (p[i + 1] > 100) green++;
(async () => {
  let hex = 'none';
  if (crypto.subtle) {
    const d = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('page %s'));
    hex = [...new Uint8Array(d)].map((b) => b.toString(16).padStart(2, '0')).join('');
  }
  document.getElementById('o').textContent = green + ' ' + hex;
})();
</script>""" % n)
dom = chromium.run("file://%s/page.html" % os.getcwd(), "--dump-dom", "--virtual-time-budget=1000")
green, digest = re.search(r'<pre id="o">(\d+) (\w+)</pre>', dom).groups()
assert int(green) == 32 * 64, green
assert digest in ("none", hashlib.sha256(b"page " + n.encode()).hexdigest()), digest
print("canvas:", green, "green pixels, digest", digest[:12])
