// SPDX-License-Identifier: GPL-2.0-only
// Copies a file three ways (stream, promise, block by block) and compares the digests.
const fs = require('fs');
const crypto = require('crypto');
const { pipeline } = require('stream/promises');

const digest = (name) => crypto.createHash('sha256').update(fs.readFileSync(name)).digest('hex');

(async () => {
  const n = Number(process.argv[2]);
  fs.mkdirSync('copies', { recursive: true });
  fs.writeFileSync('source.bin', crypto.randomBytes(300000 + n * 1000));
  await pipeline(fs.createReadStream('source.bin'), fs.createWriteStream('copies/stream.bin'));
  await fs.promises.copyFile('source.bin', 'copies/promise.bin');
  const from = fs.openSync('source.bin', 'r');
  const to = fs.openSync('copies/blocks.bin', 'w');
  const block = Buffer.alloc(8192);
  for (let got; (got = fs.readSync(from, block)) > 0;) fs.writeSync(to, block, 0, got);
  fs.closeSync(from);
  fs.closeSync(to);
  const sums = new Set(fs.readdirSync('copies').map((name) => digest('copies/' + name)));
  if (sums.size !== 1 || !sums.has(digest('source.bin'))) throw new Error('a copy differs');
  console.log('copy: three equal copies of', fs.statSync('source.bin').size, 'bytes');
})();
