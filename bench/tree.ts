/**
 * `npm run bench -- tree`: trees of 10^3 to 10^6 leaves (Poseidon2) in memory, each size in a process of its own; writes
 * TREE.md and its plots. `--leaves 1000,10000` runs other sizes.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runChild } from './child.js';
import type { Spread } from './measure.js';
import { digits } from './report.js';
import { curvePlot } from './svg.js';

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

const micro = (value: number) => `${digits(value)} us`;
const rate = (value: number) => `${digits(1e6 / value)}/s`;
const bytes = (value: number) => `${digits(value)} B`;
const columns: [string, (report: Report) => string][] = [
  ['leaves', ({ leaves }) => String(leaves)],
  ['accumulator: inserts', (r) => rate(r.accumulator.insert)],
  ['in node hashes each', (r) => digits(r.accumulator.insert / r.hash)],
  ['proof', (r) => micro(r.accumulator.proof.median)],
  ['memory a leaf', (r) => bytes(r.accumulator.bytesPerLeaf)],
  ['state: accounts loaded', (r) => rate(r.state.load)],
  ['in node hashes each', (r) => digits(r.state.load / r.hash)],
  ['accounts in blocks of 1000', (r) => rate(r.state.block.median)],
  ['blocks of 1000', (r) => rate(1000 * r.state.block.median)],
  ['memory an account', (r) => bytes(r.state.bytesPerLeaf)],
  ['proof, newest block', (r) => micro(r.state.proof.median)],
  ['p99', (r) => micro(r.state.proof.p99)],
  ['proof, 20 blocks back', (r) => micro(r.state.older.median)],
  ['proof of absence', (r) => micro(r.state.absent.median)],
  ['to verify a proof', (r) => micro(r.state.verify.median)],
  ['proof / verify', (r) => digits(r.state.proof.median / r.state.verify.median)],
];
const [heading, ...body] = columns.map(
  ([name, show]) => `| ${[name, ...reports.map(show)].join(' | ')} |`,
);
const table = [heading, `| --- |${' ---: |'.repeat(reports.length)}`, ...body];

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const pointsOf = (show: (report: Report) => Spread) =>
  reports.map((report) => {
    const { median, low, high } = show(report);
    return { x: report.leaves, y: median, low, high };
  });
const exact = (value: number): Spread => ({ median: value, low: value, high: value });
writeFileSync(
  here('treeProof.svg'),
  curvePlot(
    'Time to make and verify the proof of an account (Poseidon2)',
    'accounts',
    micro,
    pointsOf((r) => r.state.proof),
    '#1a7f37',
  ),
);
writeFileSync(
  here('treeMemory.svg'),
  curvePlot(
    'Memory of a state in the memory store (Poseidon2)',
    'accounts',
    (value) => bytes(value),
    pointsOf((r) => exact(r.state.bytesPerLeaf)),
    '#8250df',
  ),
);
writeFileSync(
  here('treeBlocks.svg'),
  curvePlot(
    'Time for each account in a block of 1000 (Poseidon2)',
    'accounts',
    micro,
    pointsOf((r) => r.state.block),
    '#0969da',
  ),
);
writeFileSync(
  here('TREE.md'),
  [
    '# Trees in memory',
    '',
    `\`npm run bench -- tree\` on ${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}. Inserts and blocks by processor time, proofs by the clock (median); a proof was verified before it is returned.`,
    'A node hash is what one inner node costs in the same process.',
    '',
    ...table,
    '',
    '![proof time](treeProof.svg)',
    '![block time](treeBlocks.svg)',
    '![memory](treeMemory.svg)',
    '',
  ].join('\n'),
);
console.log(table.join('\n'));
