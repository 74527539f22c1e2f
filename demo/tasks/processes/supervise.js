// SPDX-License-Identifier: GPL-2.0-only
// Starts a worker in the directory that the settings name, twice, and restarts one that fails.
const fs = require('fs');
const path = require('path');
const { spawn } = require('child_process');

const settings = JSON.parse(fs.readFileSync('settings.json', 'utf8'));
const cwd = path.resolve(settings.cwd);
const run = (script) => new Promise((resolve, reject) => {
  const child = spawn('sh', ['-c', script], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (d) => { out += d; });
  child.on('error', reject);
  child.on('close', (code) => resolve({ code, out }));
});
(async () => {
  const where = await run('pwd; echo "$PPID" >supervisor.pid');
  if (where.code !== 0 || where.out.trim() !== cwd) throw new Error('worker ran in ' + where.out);
  let tries = 0;
  let result;
  do {
    result = await run(`echo x >>tries; [ "$(wc -l <tries)" -ge 3 ]`);
    tries++;
  } while (result.code !== 0 && tries < 5);
  if (tries !== 3) throw new Error('restarted ' + tries + ' times');
  console.log('supervise: worker', process.argv[2], 'well after', tries, 'tries');
})();
