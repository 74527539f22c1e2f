#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-node-http
# report: healthy
# expect: none
# subject: 127.0.0.1
# outcome: ok
# needs: node
# why: A server and its client, a worker thread, a watched file, a refused connection that is expected.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >t.js <<'END'
const fs = require('fs'), http = require('http'), net = require('net');
const { Worker } = require('worker_threads');
const watcher = fs.watch('.', () => {});
fs.writeFileSync('a', '1');
try { require('no-such-module'); } catch (e) { console.log(e.code); }
console.log(fs.existsSync('absent'));
const server = http.createServer((q, r) => r.end('hi')).listen(0, '127.0.0.1', () => {
	http.get({ port: server.address().port, host: '127.0.0.1' }, r => {
		r.resume().on('end', () => {
			const port = server.address().port;
			server.close(() => net.connect(port, '127.0.0.1').on('error', e => {
				console.log(e.code);
				new Worker('require("worker_threads").parentPort.postMessage(1)', { eval: true })
					.on('message', m => { console.log(m); watcher.close(); });
			}));
		});
	});
});
END
node t.js
