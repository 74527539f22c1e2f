// SPDX-License-Identifier: GPL-2.0-only
// A supervisor that hands its agent one prompt after the other and reads what it has to say.
const fs = require('fs');
const { spawn } = require('child_process');

const prompts = JSON.parse(fs.readFileSync('prompts.json', 'utf8'));
const ask = (prompt) => new Promise((resolve, reject) => {
  const stdio = ['ignore', 'pipe', 'inherit'];
  const agent = spawn('./agent.sh', ['--prompt', prompt], { stdio });
  let out = '';
  agent.stdout.on('data', (d) => { out += d; });
  agent.on('error', reject);
  agent.on('close', (code) => (code ? reject(new Error('agent ended with ' + code)) : resolve(out)));
});
(async () => {
  for (const prompt of prompts) {
    const answer = await ask(prompt);
    if (answer !== `agent got ${prompt.length} characters\n`) throw new Error(answer);
    await new Promise((resolve) => { setTimeout(resolve, 100); });
  }
  console.log('prompt:', prompts.length, 'prompts answered');
})();
