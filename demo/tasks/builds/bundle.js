// SPDX-License-Identifier: GPL-2.0-only
// Bundles CommonJS modules into one file, runs the bundle, and compares with the unbundled run.
const fs = require('fs');
const path = require('path');
const { execFileSync } = require('child_process');

const n = process.argv[2];
fs.mkdirSync('app/lib', { recursive: true });
fs.writeFileSync('app/lib/double.js', 'module.exports = (x) => 2 * x;\n');
fs.writeFileSync('app/lib/quad.js',
  "const d = require('./double');\nmodule.exports = (x) => d(d(x));\n");
fs.writeFileSync('app/main.js',
  `console.log(require('./lib/quad')(${n}), require('./lib/double')(1));\n`);

const modules = new Map();
function add(file) {
  if (modules.has(file)) return;
  modules.set(file, null);
  const text = fs.readFileSync(file, 'utf8').replace(/require\('(\.[^']+)'\)/g, (all, name) => {
    const target = path.join(path.dirname(file), name) + '.js';
    add(target);
    return `load(${JSON.stringify(target)})`;
  });
  modules.set(file, text);
}
add('app/main.js');
let out = 'const cache = {}, parts = {\n';
for (const [file, text] of modules) {
  out += `${JSON.stringify(file)}: (module, load) => {\n${text}},\n`;
}
out += '};\nfunction load(name) {\n';
out += '  if (!cache[name]) parts[name](cache[name] = { exports: {} }, load);\n';
out += "  return cache[name].exports;\n}\nload('app/main.js');\n";
fs.writeFileSync('bundle.js', out);
const run = (file) => execFileSync(process.execPath, [file], { encoding: 'utf8' });
if (run('bundle.js') !== run('app/main.js')) throw new Error('the bundle answers differently');
console.log('bundle:', modules.size, 'modules in one file say', run('bundle.js').trim());
