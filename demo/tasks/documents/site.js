// SPDX-License-Identifier: GPL-2.0-only
// Turns a folder of Markdown into a small site with an index, and checks its links.
const fs = require('fs');
const path = require('path');

const n = Number(process.argv[2]);
fs.mkdirSync('pages', { recursive: true });
fs.mkdirSync('site', { recursive: true });
for (let i = 0; i < 12; i++) {
  const text = `# Page ${i} of ${n}\n\nSome *plain* text.\n\n- one\n- two\n\n` +
    `[next](${(i + 1) % 12}.md)\n`;
  fs.writeFileSync(`pages/${i}.md`, text);
}
const escape = (s) => s.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const inline = (s) => escape(s)
  .replace(/\*([^*]+)\*/g, '<em>$1</em>')
  .replace(/\[([^\]]+)\]\(([^)]+)\.md\)/g, '<a href="$2.html">$1</a>');
function render(text) {
  return text.split('\n\n').map((block) => {
    if (block.startsWith('# ')) return `<h1>${inline(block.slice(2))}</h1>`;
    if (!block.startsWith('- ')) return `<p>${inline(block.trim())}</p>`;
    const items = block.split('\n').map((l) => `<li>${inline(l.slice(2))}</li>`);
    return `<ul>${items.join('')}</ul>`;
  }).join('\n');
}
for (const name of fs.readdirSync('pages')) {
  const html = render(fs.readFileSync(path.join('pages', name), 'utf8'));
  fs.writeFileSync(path.join('site', name.replace('.md', '.html')), html);
}
let links = 0;
for (const name of fs.readdirSync('site')) {
  const html = fs.readFileSync(path.join('site', name), 'utf8');
  for (const [, to] of html.matchAll(/href="([^"]+)"/g)) {
    if (!fs.existsSync(path.join('site', to))) throw new Error(`${name} points at ${to}`);
    links++;
  }
}
if (links !== 12) throw new Error('expected 12 links, found ' + links);
console.log('site: 12 pages,', links, 'links, none broken');
