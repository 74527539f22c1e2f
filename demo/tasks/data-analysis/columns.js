// SPDX-License-Identifier: GPL-2.0-only
// Columns of numbers in typed arrays: filter, histogram, correlation; saved and loaded as bytes.
const fs = require('fs');

const n = Number(process.argv[2]);
const rows = 200000;
const x = new Float64Array(rows);
const y = new Float64Array(rows);
for (let i = 0; i < rows; i++) {
  x[i] = (i * 7919) % 1000;
  y[i] = 3 * x[i] + n + ((i * 104729) % 7) - 3;
}
fs.writeFileSync('x.col', Buffer.from(x.buffer));
const back = fs.readFileSync('x.col');
const copy = new Float64Array(back.buffer.slice(back.byteOffset, back.byteOffset + back.length));
const mean = (a) => a.reduce((s, v) => s + v, 0) / a.length;
const mx = mean(copy);
const my = mean(y);
let sxy = 0, sxx = 0, syy = 0;
for (let i = 0; i < rows; i++) {
  sxy += (copy[i] - mx) * (y[i] - my);
  sxx += (copy[i] - mx) ** 2;
  syy += (y[i] - my) ** 2;
}
const r = sxy / Math.sqrt(sxx * syy);
const histogram = new Uint32Array(10);
for (const v of copy) histogram[Math.floor(v / 100)]++;
if (Math.abs(sxy / sxx - 3) > 0.01 || r < 0.999) throw new Error('wrong fit');
if (histogram.reduce((a, b) => a + b) !== rows) throw new Error('rows got lost');
console.log('columns: slope', (sxy / sxx).toFixed(3), 'correlation', r.toFixed(5));
