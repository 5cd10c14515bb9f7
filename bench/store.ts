/**
 * `npm run bench -- store`: states of 10^3 to 10^6 accounts (Poseidon2) in LMDB, beside the same ones in memory; writes
 * STORE.md. Each size has a process of its own. `--accounts 1000,10000` runs other sizes, `--folder PATH` puts the
 * files on another disk.
 */
import { writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { runChild } from './child.js';
import { spreadOf } from './measure.js';
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
const cells = rows.map(([what, of]) => [what, ...reports.map(of)]);
/** As the formatter wants a table. */
const widths = [0, ...reports].map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
const line = (row: readonly string[]) => `| ${row.join(' | ')} |`;
const padded = cells.map((row) =>
  line(row.map((cell, i) => (i ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[0] ?? 0)))),
);
const rule = line(widths.map((width, i) => (i ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))));
const text = [
  '# A state in LMDB',
  '',
  `\`npm run bench -- store\` on ${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}, by the clock. Accounts have no storage and come in`,
  'blocks of 10,000 (of small states, a fifth), each named final; the last 4 stay provable. Where two times stand, the',
  'first is of LMDB and the second of the memory store in the same process, turn by turn, with their ratio behind: the',
  'medians. A proof was verified before it is given; a block is on the disk when its time ends.',
  '',
  padded[0],
  rule,
  ...padded.slice(1),
  '',
].join('\n');
writeFileSync(new URL('STORE.md', import.meta.url), text);
console.log(text);
