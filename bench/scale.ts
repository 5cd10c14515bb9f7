/**
 * `npm run bench -- scale`: what a leaf, a proof and a block cost in LMDB, from 10^3 to 10^7 leaves; writes SCALE.md and its plots.
 * Each size has a process of its own. `--leaves 1000,10000` runs other sizes, `--folder PATH` takes another disk.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runChild } from './child.js';
import { machine, madeBy, pageOf } from './frame.js';
import { spreadOf } from './measure.js';
import { publish } from './pictures.js';
import { digits, time } from './report.js';

interface Made {
  stateRoot: string;
  blocks: number;
  bytes: number;
  leaves: number;
}
/** In milliseconds. */
interface Times {
  clock: number[];
  processor: number[];
}
interface Report extends Made {
  load: { processor: number; ratio: number; seconds: number; peak: number; size: number };
  block: Times;
  proof: Times;
  absent: Times;
}

const { values } = parseArgs({
  options: {
    leaves: { type: 'string', default: '1000,10000,100000,1000000,10000000' },
    folder: { type: 'string', default: tmpdir() },
  },
});
const folder = mkdtempSync(join(values.folder, 'l2proof-scale-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** What else the machine was doing. */
const where = machine(loadavg()[0]);
const reports: Report[] = [];

const inTime = (milliseconds: number) => time(1000 * milliseconds);
const median = (times: number[]) => inTime(spreadOf(times).median);
const both = ({ clock, processor }: Times) => `${median(clock)} (${median(processor)})`;
const perLeaf = ({ load, leaves }: Report) => (1e6 * load.processor) / leaves;
const rows: [string, (report: Report) => string][] = [
  ['leaves', ({ leaves }) => leaves.toLocaleString('en')],
  ['snapshot, bytes a leaf', ({ bytes, leaves }) => digits(bytes / leaves)],
  ['store, bytes a leaf', ({ load, leaves }) => digits(load.size / leaves)],
  ['import, processor time a leaf', (report) => time(perLeaf(report))],
  ['beside its hashing alone', ({ load }) => digits(load.ratio)],
  ['import, by the clock', ({ load }) => inTime(1000 * load.seconds)],
  ['its memory', ({ load }) => `${Math.round(load.peak)} MiB`],
  ['proof of an account', ({ proof }) => both(proof)],
  ['proof of absence', ({ absent }) => both(absent)],
  ['block of 100 new accounts', ({ block }) => both(block)],
];
function writePage(): void {
  const [head, ...body] = rows.map(([what, of]) => [what, ...reports.map(of)]);
  const page = pageOf({
    title: 'From a thousand leaves to ten million',
    about: `States in LMDB, each imported from a snapshot that was made up: a third of its leaves are accounts, the rest slots. Of
      two times, the first is by the clock and the second, in brackets, processor time, of all threads; medians. A new account
      changes its two neighbours in the list of keys, which lie anywhere in the tree, and each block is named final. Memory is
      what no file stands behind, at its peak. The pictures show processor time.`,
    made: madeBy('npm run bench -- scale', where),
    tables: [{ head: head as string[], rows: body }],
    shows: `A proof costs the same in a state ten thousand times as large, and a block of new accounts less than twice as much.
      [docs/scale.md](../docs/scale.md) says what follows from that.`,
  });
  console.log(publish('SCALE.md', page));
}

for (const leaves of values.leaves.split(',').map(Number)) {
  const made = await runChild<Made>('bulkChild.mjs', ['make', folder, String(leaves)], leaves);
  const args = [folder, made.stateRoot, String(made.blocks)];
  const report = await runChild<Omit<Report, keyof Made>>('scaleChild.mjs', args, made.leaves);
  reports.push({ ...made, ...report });
  // The greatest size takes long: what the others came to is not lost with it.
  writePage();
}
