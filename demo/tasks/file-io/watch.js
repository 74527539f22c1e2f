// SPDX-License-Identifier: GPL-2.0-only
// Watches a few source directories and waits until each change has been noticed.
const fs = require('fs');
const path = require('path');

const dirs = ['src', 'lib', 'test', 'docs', 'assets'];
const seen = new Set();
const watchers = [];
for (const dir of dirs) {
  fs.mkdirSync(dir, { recursive: true });
  watchers.push(fs.watch(dir, (event, name) => {
    seen.add(dir);
    if (seen.size < dirs.length) return;
    for (const w of watchers) w.close();
    console.log('watch: changes noticed in', dirs.length, 'directories, last', name);
    clearTimeout(limit);
  }));
}
const limit = setTimeout(() => { throw new Error('only noticed ' + [...seen]); }, 10000);
for (const dir of dirs) fs.writeFileSync(path.join(dir, 'changed-' + process.argv[2]), 'x');
