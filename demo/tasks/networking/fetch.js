// SPDX-License-Identifier: GPL-2.0-only
// An HTTP server and a client in one program: JSON posted, a stream read, a connection given up.
const http = require('http');
const crypto = require('crypto');

const n = Number(process.argv[2]);
const big = crypto.randomBytes(200000 + n);
const server = http.createServer((req, res) => {
  if (req.url === '/big') return res.end(big);
  if (req.url === '/slow') return res.write('…');
  let body = '';
  req.on('data', (d) => { body += d; });
  req.on('end', () => {
    const sum = JSON.parse(body).reduce((a, b) => a + b, 0);
    res.end(JSON.stringify({ sum }));
  });
});
server.listen(0, '127.0.0.1', async () => {
  const base = 'http://127.0.0.1:' + server.address().port;
  const reply = await fetch(base + '/sum', { method: 'POST', body: JSON.stringify([n, 1, 2, 3]) });
  if ((await reply.json()).sum !== n + 6) throw new Error('wrong sum');
  const got = Buffer.from(await (await fetch(base + '/big')).arrayBuffer());
  if (!got.equals(big)) throw new Error('the stream came damaged');
  const giveUp = new AbortController();
  const slow = await fetch(base + '/slow', { signal: giveUp.signal });
  giveUp.abort();
  await slow.text().then(() => { throw new Error('not given up'); }, () => {});
  console.log('fetch: posted, streamed', got.length, 'bytes, gave up one');
  server.close();
  server.closeAllConnections();
});
