// SPDX-License-Identifier: GPL-2.0-only
// Packs two modules with tar, installs them into node_modules, and resolves one through the other.
const fs = require('fs');
const path = require('path');
const { execFileSync } = require('child_process');

const n = process.argv[2];
function pack(name, version, main, dependencies) {
  const dir = path.join('registry', name, 'package');
  fs.mkdirSync(dir, { recursive: true });
  const manifest = { name, version, main: 'index.js', dependencies };
  fs.writeFileSync(path.join(dir, 'package.json'), JSON.stringify(manifest));
  fs.writeFileSync(path.join(dir, 'index.js'), main);
  const tarball = path.join('registry', `${name}-${version}.tgz`);
  execFileSync('tar', ['-czf', tarball, '-C', path.dirname(dir), 'package']);
  return tarball;
}
function install(tarball) {
  const list = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n');
  if (!list.includes('package/package.json')) throw new Error(tarball + ' is no package');
  const text = execFileSync('tar', ['-xzOf', tarball, 'package/package.json'],
    { encoding: 'utf8' });
  const dir = path.join('node_modules', JSON.parse(text).name);
  fs.mkdirSync(dir, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', dir, '--strip-components=1']);
}
install(pack('adder', `1.0.${n}`, 'exports.add = (a, b) => a + b;\n', {}));
install(pack('totals', `2.0.${n}`,
  "exports.total = (list) => list.reduce(require('adder').add, 0);\n", { adder: '^1.0.0' }));
const code = "console.log(require('totals').total([1, 2, 3, 4]))";
const out = execFileSync(process.execPath, ['-e', code], { encoding: 'utf8' });
if (out !== '10\n') throw new Error('unexpected answer ' + out);
console.log('modules: adder and totals installed');
