#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-node-chunk-seam
# report: own
# expect: level=interface primitive=encoding cause=replacement
# subject: prices.txt
# outcome: failed
# needs: python3
# why: node: buf += chunk without setEncoding, characters at seams of chunks become U+FFFD in a multi-megabyte text
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
lib=$here/lib
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" "$here/lib/picture.py" . || exit 77
cat >server.mjs <<'XEND'
import fs from 'node:fs';
let buf = '';

const out = (o) => process.stdout.write(JSON.stringify(o) + '\n');
process.stdin.on('data', (c) => {
  buf += c;
  let i;
  while ((i = buf.indexOf('\n')) >= 0) {
    const m = JSON.parse(buf.slice(0, i)); buf = buf.slice(i + 1);
    if (m.id === undefined) continue;
    let result = {};
    if (m.method === 'tools/call') {
      const a = m.params.arguments;
      try {
        if (m.params.name === 'write_file') { fs.writeFileSync(a.path, a.content); result = { content: [{ type: 'text', text: 'written' }] }; } else result = { content: [{ type: 'text', text: fs.readFileSync(a.path, 'utf8') }] };
      } catch (e) { result = { content: [{ type: 'text', text: String(e.message) }], isError: true }; }
    }
    out({ jsonrpc: '2.0', id: m.id, result });
  }
});
XEND
cat >agent.py <<'XEND'
import json, sys, os, base64
from mcp_stdio import Client, Refused
class Raw(Client):
    def write(self, m):
        self.server.stdin.write(json.dumps(m, ensure_ascii=False).encode() + b"\n"); self.server.stdin.flush()

a = Raw("node", "server.mjs")
t = "price €€€€€€€€€€€€€€€€€€€€€€€€€\n" * 30000
a.text("write_file", path="prices.txt", content=t)
if open("prices.txt", encoding="utf-8").read() != t: sys.exit("prices.txt differs")
XEND
python3 agent.py
