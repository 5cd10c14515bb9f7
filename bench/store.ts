/**
 * `npm run bench -- store`: states of 10^3 to 10^6 accounts (Poseidon2) in LMDB, beside the same ones in memory; writes
 * STORE.md. Each size has a process of its own. `--accounts 1000,10000` runs other sizes, `--folder PATH` puts the
 * files on another disk.
 */
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { runChild } from './child.js';
import { madeBy, pageOf } from './frame.js';
import { spreadOf } from './measure.js';
import { publish } from './pictures.js';
import { digits, time } from './report.js';

/** In milliseconds. */
interface Times {
  disk: number[];
  memory: number[];
}
interface Load {
  wall: number;
  cpu: number;
  write: number;
}
interface Report {
  accounts: number;
  perBlock: number;
  load: { disk: Load; memory: Load };
  written: number;
  loadedBytes: number;
  proofs: Times;
  older: Times;
  absent: Times;
  small: Times;
}

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1000,10000,100000,1000000' },
    folder: { type: 'string', default: tmpdir() },
  },
});

const reports: Report[] = [];
for (const accounts of values.accounts.split(',').map(Number)) {
  const report = await runChild<Report>(
    'storeChild.mjs',
    [String(accounts), values.folder],
    // Into the one store, then into the other.
    2 * accounts,
    // For what is made on the way to a million accounts in memory.
    ['--max-old-space-size=8192'],
  );
  reports.push(report);
  // The greatest size takes long: what the others came to is not lost with it.
  console.error(JSON.stringify({ ...report.load, accounts, bytes: report.loadedBytes }));
}

const inTime = (milliseconds: number) => time(1000 * milliseconds);
const median = (times: number[]) => spreadOf(times).median;
const last = (times: number[]) =>
  [...times].sort((a, b) => a - b)[Math.floor(0.99 * times.length)] as number;
/** Both stores and what the first takes of the second's time. */
const beside = ({ disk, memory }: Times) =>
  `${inTime(median(disk))}, ${inTime(median(memory))} (${digits(median(disk) / median(memory))})`;

const rows: [string, (report: Report) => string][] = [
  ['accounts', ({ accounts }) => accounts.toLocaleString('en')],
  ['load into LMDB', ({ load }) => inTime(load.disk.wall)],
  ['of it, writing', ({ load }) => `${digits((100 * load.disk.write) / load.disk.wall)} %`],
  ['accounts a second', ({ accounts, load }) => digits((1000 * accounts) / load.disk.wall)],
  ['and of processor time', ({ accounts, load }) => digits((1000 * accounts) / load.disk.cpu)],
  ['load into memory', ({ load }) => inTime(load.memory.wall)],
  ['file, bytes an account', ({ accounts, loadedBytes }) => digits(loadedBytes / accounts)],
  ['proof, newest block', ({ proofs }) => beside(proofs)],
  [
    'its 99th percentile',
    ({ proofs }) => `${inTime(last(proofs.disk))}, ${inTime(last(proofs.memory))}`,
  ],
  ['proof, 3 final blocks back', ({ older }) => beside(older)],
  ['proof of absence', ({ absent }) => beside(absent)],
  ['block of 200 changes', ({ small }) => beside(small)],
];
const [head, ...body] = rows.map(([what, of]) => [what, ...reports.map(of)]);
const page = pageOf({
  title: 'A state in LMDB',
  about: `LMDB beside the memory store in the same process, turn by turn, by the clock. Accounts have no storage and come in blocks
    of 10,000 (of small states, a fifth), each named final; the last 4 stay provable. If two times stand in a cell, the first is
    of LMDB and the second of the memory store, with their ratio behind: the medians. A proof was verified before it is given; a
    block is on the disk when its time ends.`,
  made: madeBy('npm run bench -- store'),
  tables: [{ head: head as string[], rows: body }],
  shows: `A proof from LMDB takes about as long as one from memory, a block about twice as long. Of the load of a million accounts,
    two thirds are writing.`,
});
console.log(publish('STORE.md', page));
