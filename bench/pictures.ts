/**
 * `npm run bench -- pictures`: draws all pictures from the tables of the pages, and brings the pages into their form. It
 * measures nothing. A bench that has written its page does the same for that page.
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Page, type Part, pageText, readBench, readPage, writeBench } from './frame.js';
import { digits, time } from './report.js';
import { type Bar, barPlot, curvePlot, type Group, type Heading, type Unit } from './svg.js';
import { figureOf, type Table, tableOf } from './tables.js';

interface Picture {
  readonly page: string;
  /** What it shows, for those who cannot see it. */
  readonly about: string;
  readonly draw: (page: string) => string;
}

const bytes: Unit = (value) =>
  value >= 1e6
    ? `${digits(value / 1e6)} MB`
    : value >= 1e3
      ? `${digits(value / 1e3)} kB`
      : `${value} B`;
const count: Unit = (value) => value.toLocaleString('en');

const bar = (label: string, shown: string, look: Bar['look']): Bar => ({
  ...{ label, value: figureOf(shown), shown, look },
});

const cellAt = ({ head, rows }: Table, row: string, column: string): string => {
  const cell = rows.find(([name]) => name === row)?.[head.indexOf(column)];
  if (cell === undefined) throw new Error(`no row "${row}" with "${column}"`);
  return cell;
};

/** One curve of each row of a table whose head has the sizes. */
const curveOf =
  (
    [first, row]: readonly [first: string, row: string],
    heading: Heading,
    axis: { readonly unit: Unit; readonly name: string },
    figure = (cell: string) => cell,
  ): Picture['draw'] =>
  (page) => {
    const table = tableOf(page, first);
    const points = table.head.slice(1).map((size) => {
      const shown = figure(cellAt(table, row, size));
      return { x: figureOf(size), y: figureOf(shown), shown };
    });
    return curvePlot(heading, axis, points);
  };

/** What stands in brackets. */
const processorTime = (cell: string) => /\((.*)\)/.exec(cell)?.[1] ?? cell;

function proofs(page: string): string {
  const table = tableOf(page, 'time');
  const groups = ['MiMC', 'Poseidon2'].map((family): Group => {
    const figure = (what: string) => cellAt(table, `${family}, one warm proof${what}`, 'median');
    const native = `${family}, one warm proof, native, one thread`;
    const hasNative = table.rows.some(([what]) => what === native);
    return {
      name: family,
      bars: [
        ...(hasNative ? [bar('C, one thread', figure(', native, one thread'), 'other')] : []),
        bar('l2proof', figure(''), 'own'),
        bar('l2proof in plain JS', figure(', without WebAssembly'), 'own'),
        bar('BigInt, tuned', figure(', tuned BigInt'), 'other'),
        bar('noble Field', figure(', noble `Field`'), 'other'),
      ],
    };
  });
  const heading = {
    title: 'Time to verify one proof of an account',
    note: 'Processor time of a warm process: shorter is better',
  };
  return barPlot(heading, { unit: time, name: 'time', isLogarithmic: true }, groups);
}

function slots(page: string): string {
  const { rows } = tableOf(page, 'time');
  const points = rows.flatMap(([what = '', shown = '']) => {
    const [, asked] = /one slot of (\d+) asked/.exec(what) ?? [];
    return asked === undefined ? [] : [{ x: Number(asked), y: figureOf(shown), shown }];
  });
  const heading = {
    title: 'Time to verify a slot, by slots in one answer',
    note: 'Processor time, Poseidon2, 1,000 slots in the tree: lower is better',
  };
  return curvePlot(heading, { unit: time, name: 'slots in one answer' }, points);
}

/** The rows of cold calls, by call. */
function coldCalls(page: string, barsOf: (rows: readonly (readonly string[])[]) => Bar[]): Group[] {
  const { rows } = tableOf(page, 'cold call');
  const names = [...new Set(rows.map(([name = '']) => name))];
  return names.map((name) => {
    const own = rows.filter(([first, how]) => first === name && how !== 'warm');
    return { name, bars: barsOf(own) };
  });
}

const hint = (how = '') => (how === 'hint' ? 'with access list' : 'without one');

function callRequests(page: string): string {
  const groups = coldCalls(page, (rows) => [
    bar('what it reads', rows[0]?.[2] as string, 'other'),
    ...rows.map(([, how, , requests]) => bar(hint(how), requests as string, 'own')),
  ]);
  const heading = {
    title: 'What a call reads, and requests to L2 for it',
    note: 'Accounts, codes and slots; requests: fewer are better',
  };
  return barPlot(heading, { unit: count, name: 'number', isLogarithmic: true }, groups);
}

function callBytes(page: string): string {
  const groups = coldCalls(page, (rows) =>
    rows.map(([, how, , , , size]) => bar(hint(how), size as string, 'own')),
  );
  const heading = {
    title: 'Bytes to and from L2 for one call',
    note: 'A provider that knows nothing yet but its anchor: fewer are better',
  };
  return barPlot(heading, { unit: bytes, name: 'bytes', isLogarithmic: false }, groups);
}

const presentRows = (page: string, first: string) =>
  tableOf(page, first).rows.filter(
    ([family, , what]) => family === 'Poseidon2' && what === 'present',
  );

const slotWord = (slots = '') =>
  slots === '0' ? 'No slots' : slots === '1' ? '1 slot' : `${count(Number(slots))} slots`;

function compact(page: string): string {
  const groups = presentRows(page, 'size').map(([, slots, , json, gzip, size]) => ({
    name: slotWord(slots),
    bars: [
      bar('JSON', json as string, 'other'),
      bar('JSON, gzip -9', gzip as string, 'second'),
      bar('compact', size as string, 'own'),
    ],
  }));
  const heading = {
    title: 'Bytes of a proof, by its storage slots',
    note: 'Poseidon2, 20,000 accounts and slots: fewer are better',
  };
  return barPlot(heading, { unit: bytes, name: 'bytes', isLogarithmic: true }, groups);
}

function compactTime(page: string): string {
  const groups = presentRows(page, 'time to verify').map(([, slots, , json, own]) => ({
    name: slotWord(slots),
    bars: [bar('JSON', json as string, 'other'), bar('compact', own as string, 'own')],
  }));
  const heading = {
    title: 'Time to verify a proof, by its storage slots',
    note: 'Processor time, Poseidon2: shorter is better',
  };
  return barPlot(heading, { unit: time, name: 'time', isLogarithmic: true }, groups);
}

function lanes(page: string): string {
  const { head, rows } = tableOf(page, 'processor time');
  const column = head.indexOf('in lanes / before');
  const bars = rows.map((row) => {
    const [ratio = ''] = (row[column] as string).split(' ');
    return bar((row[0] as string).replaceAll('`', ''), ratio, 'own');
  });
  const heading = {
    title: 'Hashing in lanes, beside one by one',
    note: '1 is the processor time of the build before: shorter is better',
  };
  const axis = { unit: digits, name: 'share of the time before', isLogarithmic: false };
  return barPlot(heading, axis, [{ name: '', bars }]);
}

const scaleNote = 'Processor time, in LMDB: lower is better';
const leaves = 'leaves of the state';
const treeNote = (better: string) => `Poseidon2, in memory: ${better} is better`;
const accounts = 'accounts of the state';

/** Each picture by its file, drawn from the text of its page. */
export const pictures: Readonly<Record<string, Picture>> = {
  'proofs.svg': {
    page: 'RESULTS.md',
    about: 'Time of one warm proof, by implementation',
    draw: proofs,
  },
  'slots.svg': { page: 'RESULTS.md', about: 'Time of a slot, by slots asked at once', draw: slots },
  'callRequests.svg': {
    page: 'CALL.md',
    about: 'Reads of a call, and the requests that they take',
    draw: callRequests,
  },
  'callBytes.svg': { page: 'CALL.md', about: 'Bytes of a cold call', draw: callBytes },
  'compact.svg': { page: 'COMPACT.md', about: 'Bytes of a proof', draw: compact },
  'compactTime.svg': { page: 'COMPACT.md', about: 'Time to verify a proof', draw: compactTime },
  'lanes.svg': {
    page: 'LANES.md',
    about: 'Processor time in lanes, beside the build before',
    draw: lanes,
  },
  'scaleLeaf.svg': {
    page: 'SCALE.md',
    about: 'Import: processor time a leaf',
    draw: curveOf(
      ['leaves', 'import, processor time a leaf'],
      { title: 'Time to import one leaf of a snapshot', note: scaleNote },
      { unit: time, name: leaves },
    ),
  },
  'scaleProof.svg': {
    page: 'SCALE.md',
    about: 'Time of a proof of an account',
    draw: curveOf(
      ['leaves', 'proof of an account'],
      { title: 'Time to make and verify a proof', note: scaleNote },
      { unit: time, name: leaves },
      processorTime,
    ),
  },
  'scaleBlock.svg': {
    page: 'SCALE.md',
    about: 'Time of a block of 100 new accounts',
    draw: curveOf(
      ['leaves', 'block of 100 new accounts'],
      { title: 'Time of a block of 100 new accounts', note: scaleNote },
      { unit: time, name: leaves },
      processorTime,
    ),
  },
  'treeProof.svg': {
    page: 'TREE.md',
    about: 'Time of a proof of an account',
    draw: curveOf(
      ['leaves', 'proof, newest block'],
      { title: 'Time to make and verify a proof', note: treeNote('lower') },
      { unit: time, name: accounts },
    ),
  },
  'treeBlocks.svg': {
    page: 'TREE.md',
    about: 'Accounts a second in blocks of 1,000',
    draw: curveOf(
      ['leaves', 'accounts a second, in blocks of 1,000'],
      { title: 'Accounts a second, in blocks of 1,000', note: treeNote('higher') },
      { unit: count, name: accounts },
    ),
  },
  'treeMemory.svg': {
    page: 'TREE.md',
    about: 'Memory of an account',
    draw: curveOf(
      ['leaves', 'memory an account'],
      { title: 'Memory of an account', note: treeNote('lower') },
      { unit: bytes, name: accounts },
    ),
  },
};

const picturesOf = (page: string) =>
  Object.entries(pictures).filter(([, { page: own }]) => own === page);

/** Writes a page, with its pictures behind the first tables, and draws them. @returns the page's text */
export function publish(name: string, { title, parts }: Page): string {
  const own = picturesOf(name);
  const [first, ...rest] = parts;
  const shown = own.map(([file, { about }]) => ({ name: file, about }));
  const text = pageText({ title, parts: [{ ...(first as Part), pictures: shown }, ...rest] });
  writeBench(name, text);
  for (const [file, { draw }] of own) writeBench(file, draw(text));
  return text;
}

/** All pages of figures, the index apart. */
export const pages = (): string[] =>
  readdirSync(fileURLToPath(new URL('.', import.meta.url)))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .concat('peers/CALLDATA.md', 'peers/RESULTS.md');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const page of pages()) publish(page, readPage(readBench(page)));
}
