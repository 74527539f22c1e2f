// SPDX-License-Identifier: GPL-2.0-only
// A notebook's session: cells share a context, and each result is kept in the cache directory.
const fs = require('fs');
const vm = require('vm');

const settings = JSON.parse(fs.readFileSync('settings.json', 'utf8'));
fs.mkdirSync(settings.cacheDir);
const n = Number(process.argv[2]);
const context = vm.createContext({ n });
const cells = [
  'var primes = []; for (let i = 2; primes.length < 500; i++)' +
    ' if (primes.every((p) => i % p)) primes.push(i); primes.length',
  'var total = primes.reduce((a, b) => a + b, 0); total',
  'typeof missing',
  'var text = primes.slice(0, n + 3).join(" "); text',
  'JSON.stringify({ total, n })',
];
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
(async () => {
  for (const [i, code] of cells.entries()) {
    const value = vm.runInContext(code, context);
    fs.writeFileSync(`${settings.cacheDir}/cell-${i}.json`, JSON.stringify({ code, value }));
    await sleep(150);
  }
  const last = JSON.parse(fs.readFileSync(`${settings.cacheDir}/cell-4.json`, 'utf8')).value;
  if (last !== JSON.stringify({ total: 824693, n })) throw new Error('wrong result ' + last);
  console.log('notebook:', cells.length, 'cells, all cached');
})();
