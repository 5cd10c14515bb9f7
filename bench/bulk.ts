/**
 * `npm run bench -- bulk`: a first state of 10^6 accounts and a snapshot of 3 x 10^6 leaves, loaded into LMDB; writes BULK.md.
 * Each has a process of its own. `--large` adds a snapshot of 10^7 leaves, `--folder PATH` takes another disk.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runChild } from './child.js';
import { machine, madeBy, pageOf } from './frame.js';
import { publish } from './pictures.js';
import { digits } from './report.js';

interface Made {
  stateRoot: string;
  blocks: number;
  bytes: number;
  leaves: number;
}
interface Report {
  blocks: number;
  perBlock: number;
  alone: number;
  processor: number;
  ratio: number;
  seconds: number;
  peak: number;
  size: number;
}

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1000000' },
    leaves: { type: 'string', default: '3000000' },
    large: { type: 'boolean', default: false },
    folder: { type: 'string', default: tmpdir() },
  },
});
const folder = mkdtempSync(join(values.folder, 'l2proof-bulk-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** What else the machine was doing. */
const where = machine();
const rows: [string, Report][] = [];
const run = <T>(args: string[], total: number) => runChild<T>('bulkChild.mjs', args, total);

const accounts = Number(values.accounts);
const genesis = await run<Report>(['genesis', folder, values.accounts], accounts);
rows.push([`${accounts.toLocaleString('en')} accounts`, genesis]);
console.error(JSON.stringify(genesis));
const sizes = [Number(values.leaves), ...(values.large ? [10_000_000] : [])];
for (const leaves of sizes) {
  const made = await run<Made>(['make', folder, String(leaves)], leaves);
  const args = ['import', folder, made.stateRoot, String(made.blocks)];
  const report = await run<Report>(args, made.leaves);
  rows.push([`snapshot of ${made.leaves.toLocaleString('en')} leaves`, report]);
  console.error(JSON.stringify({ ...made, ...report }));
}

const mib = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;
const page = pageOf({
  title: 'Loading a state in bulk',
  about: `A first state of a million accounts, and snapshots, loaded into LMDB. The hashing alone is the count of blocks hashed times
    what one costs by itself in the same process. Memory is what no file stands behind, at its peak, sampled every 50 ms; the
    accounts of the first row lie in memory before the load begins. A third of the leaves of a snapshot are accounts, one in ten
    of which has storage.`,
  made: madeBy(`npm run bench -- bulk${values.large ? ' --large' : ''}`, where),
  tables: [
    {
      head: ['what', 'hashing alone', 'processor time', 'ratio', 'by the clock', 'memory', 'file'],
      rows: rows.map(([what, { alone, processor, ratio, seconds, peak, size }]) => [
        ...[what, `${digits(alone)} s`, `${digits(processor)} s`, digits(ratio)],
        ...[`${digits(seconds)} s`, `${Math.round(peak)} MiB`, mib(size)],
      ]),
    },
  ],
  shows: `An import is hashing, and less than half as much again for everything else. Its memory does not grow with the snapshot.`,
});
console.log(publish('BULK.md', page));
