// SPDX-License-Identifier: GPL-2.0-only
// Trains a small network on XOR, from several starts, until it knows the four answers.
let seed = Number(process.argv[2]) + 1;
const random = () => ((seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648) * 2 - 1;
const cases = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]];
const hidden = 6;

function train() {
  const w = Array.from({ length: hidden }, () => [random() * 2, random() * 2, random()]);
  const v = Array.from({ length: hidden + 1 }, random);
  const run = (a, b) => {
    const h = w.map((r) => Math.tanh(r[0] * a + r[1] * b + r[2]));
    const sum = h.reduce((s, x, k) => s + x * v[k], v[hidden]);
    return [h, 1 / (1 + Math.exp(-sum))];
  };
  for (let epoch = 0; epoch < 4000; epoch++) {
    for (const [a, b, want] of cases) {
      const [h, out] = run(a, b);
      const d = (out - want) * 0.3;
      h.forEach((x, k) => {
        const g = d * v[k] * (1 - x * x);
        v[k] -= d * x;
        w[k][0] -= g * a;
        w[k][1] -= g * b;
        w[k][2] -= g;
      });
      v[hidden] -= d;
    }
  }
  return Math.max(...cases.map(([a, b, want]) => Math.abs(run(a, b)[1] - want)));
}
let error = 1;
let starts = 0;
while (error > 0.1 && starts++ < 8) error = train();
if (error > 0.1) throw new Error('did not learn: ' + error);
console.log('network: XOR learned in', starts, 'start(s), error', error.toFixed(4));
