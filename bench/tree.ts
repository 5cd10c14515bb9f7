/**
 * `npm run bench -- tree`: trees of 10^3 to 10^6 leaves (Poseidon2) in memory, each size in a process of its own; writes
 * TREE.md and its plots. `--leaves 1000,10000` runs other sizes.
 */
import { parseArgs } from 'node:util';
import { runChild } from './child.js';
import { madeBy, pageOf } from './frame.js';
import type { Spread } from './measure.js';
import { publish } from './pictures.js';
import { digits } from './report.js';

interface Report {
  leaves: number;
  hash: number;
  accumulator: { insert: number; bytesPerLeaf: number; proof: Spread };
  state: {
    load: number;
    bytesPerLeaf: number;
    block: Spread;
    proof: Spread & { p99: number };
    older: Spread;
    absent: Spread;
    verify: Spread;
  };
}

const { values } = parseArgs({
  options: { leaves: { type: 'string', default: '1000,10000,100000,1000000' } },
});
const sizes = values.leaves.split(',').map(Number);

const reports: Report[] = [];
for (const leaves of sizes) {
  reports.push(await runChild('treeChild.mjs', [String(leaves)], leaves, ['--expose-gc']));
}

const micro = (value: number) => `${digits(value)} µs`;
const rate = (value: number) => digits(1e6 / value);
const bytes = (value: number) => `${digits(value)} B`;
const columns: [string, (report: Report) => string][] = [
  ['leaves', ({ leaves }) => leaves.toLocaleString('en')],
  ['accumulator: inserts a second', (r) => rate(r.accumulator.insert)],
  ['an insert, in node hashes', (r) => digits(r.accumulator.insert / r.hash)],
  ['accumulator: time of a proof', (r) => micro(r.accumulator.proof.median)],
  ['accumulator: memory a leaf', (r) => bytes(r.accumulator.bytesPerLeaf)],
  ['state: accounts loaded a second', (r) => rate(r.state.load)],
  ['a loaded account, in node hashes', (r) => digits(r.state.load / r.hash)],
  ['accounts a second, in blocks of 1,000', (r) => rate(r.state.block.median)],
  ['blocks of 1,000 a second', (r) => rate(1000 * r.state.block.median)],
  ['memory an account', (r) => bytes(r.state.bytesPerLeaf)],
  ['proof, newest block', (r) => micro(r.state.proof.median)],
  ['its 99th percentile', (r) => micro(r.state.proof.p99)],
  ['proof, 20 blocks back', (r) => micro(r.state.older.median)],
  ['proof of absence', (r) => micro(r.state.absent.median)],
  ['to verify a proof', (r) => micro(r.state.verify.median)],
  ['proof / verify', (r) => digits(r.state.proof.median / r.state.verify.median)],
];
const [head, ...rows] = columns.map(([name, show]) => [name, ...reports.map(show)]);
const page = pageOf({
  title: 'Trees in memory',
  about: `Trees of Poseidon2 in memory: the bare accumulator, and a state with accounts. Inserts and blocks by processor time, proofs
    by the clock (median); a proof was verified before it is returned. A node hash is what one inner node costs in the same
    process.`,
  made: madeBy('npm run bench -- tree'),
  tables: [{ head: head as string[], rows }],
  shows: `A proof takes two to three times as long in a state a thousand times as large, and memory an account does not grow.`,
});
console.log(publish('TREE.md', page));
