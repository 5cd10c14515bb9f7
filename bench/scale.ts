/**
 * `npm run bench -- scale`: what a leaf, a proof and a block cost in LMDB, from 10^3 to 10^7 leaves; writes SCALE.md and its plots.
 * Each size has a process of its own. `--leaves 1000,10000` runs other sizes, `--folder PATH` takes another disk.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runChild } from './child.js';
import { spreadOf } from './measure.js';
import { digits, time } from './report.js';
import { curvePlot, type Point } from './svg.js';

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
const busy = loadavg()[0] as number;
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
function tableText(): string[] {
  const cells = rows.map(([what, of]) => [what, ...reports.map(of)]);
  const widths = [0, ...reports].map((_, i) =>
    Math.max(...cells.map((row) => row[i]?.length ?? 0)),
  );
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  const padded = cells.map((row) =>
    line(row.map((cell, i) => (i ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[0] ?? 0)))),
  );
  const rule = line(
    widths.map((width, i) => (i ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))),
  );
  return [padded[0] as string, rule, ...padded.slice(1)];
}

const pointsOf = (of: (report: Report) => number[]): Point[] =>
  reports.map((report) => {
    const { median, low, high } = spreadOf(of(report));
    return { x: report.leaves, y: 1000 * median, low: 1000 * low, high: 1000 * high };
  });
const plots: [name: string, title: string, of: (report: Report) => number[]][] = [
  ['scaleLeaf', 'Import: processor time a leaf', (one) => [perLeaf(one) / 1000]],
  ['scaleProof', 'Proof of an account', ({ proof }) => proof.processor],
  ['scaleBlock', 'Block of 100 new accounts', ({ block }) => block.processor],
];

function writePlots(): void {
  for (const [name, title, of] of plots) {
    const label = 'leaves (processor time)';
    const svg = curvePlot(`${title}, in LMDB`, label, time, pointsOf(of), '#0969da');
    writeFileSync(new URL(`${name}.svg`, import.meta.url), svg);
  }
}

function writePage(): void {
  writePlots();
  const text = [
    '# From a thousand leaves to ten million',
    '',
    `\`npm run bench -- scale\` on ${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}, in LMDB; the load average was ${digits(busy)} before it began.`,
    'Each size is imported from a snapshot that was made up: a third of its leaves are accounts, the rest slots. Of two times, the',
    'first is by the clock and the second, in brackets, processor time, of all threads; medians. A new account changes its two',
    'neighbours in the list of keys, which lie anywhere in the tree, and each block is named final. Memory is what no file stands',
    'behind, at its peak.',
    '',
    ...tableText(),
    '',
    ...plots.map(([name, title]) => `![${title}](${name}.svg)`),
    '',
  ].join('\n');
  writeFileSync(new URL('SCALE.md', import.meta.url), text);
  console.log(text);
}

for (const leaves of values.leaves.split(',').map(Number)) {
  const made = await runChild<Made>('bulkChild.mjs', ['make', folder, String(leaves)], leaves);
  const args = [folder, made.stateRoot, String(made.blocks)];
  const report = await runChild<Omit<Report, keyof Made>>('scaleChild.mjs', args, made.leaves);
  reports.push({ ...made, ...report });
  // The greatest size takes long: what the others came to is not lost with it.
  writePage();
}
