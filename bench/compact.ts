/**
 * `npm run bench -- compact`: results of `l2_getProof` beside their compact proofs, on a tree of 20,000 accounts and 20,000
 * slots; writes COMPACT.md and its plots. `--rounds 7` is faster and rougher.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { HashFamily, Hex, ProofClaim } from '../src/index.js';
import { compactProof, openStateTree, verifyCompactProof, verifyProof } from './library.js';
import { interleave, ratioOf, type Spread, spreadOf, timed } from './measure.js';
import { digits, time } from './report.js';
import { barPlot } from './svg.js';

const leaves = 20_000;
const perBlock = 4000;
const counts = [0, 1, 100, 1000] as const;
/** Least JSON / compact, by slots asked; and least gzip / compact, and most of the JSON's time from 100 slots on. */
const bars = { bytes: [9, 10, 20, 30], gzip: 2.5, time: 1 / 2, timeStretch: 1 / 3 };

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '21' } } });
const rounds = Number(values.rounds);

/** The same random words in every run (a linear congruential generator). */
function createWords(): (width: number) => Hex {
  let state = 12345;
  const next = () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state.toString(16).padStart(8, '0');
  };
  return (width) => `0x${Array.from({ length: width / 4 }, next).join('')}`;
}

interface Question {
  readonly what: string;
  readonly slots: number;
  readonly result: unknown;
  readonly claim: ProofClaim;
}

/** A state in which one account has all the slots, and what is asked of it. */
async function questionsOf(hash: HashFamily): Promise<Question[]> {
  const word = createWords();
  const tree = await openStateTree({ hash });
  const contract = word(20);
  const slots = Array.from({ length: leaves }, () => word(32));
  let number = 0;
  for (let from = 0; from < leaves; from += perBlock) {
    const storage = slots.slice(from, from + perBlock).map((key) => ({ key, value: word(32) }));
    const code = from === 0 && { code: '0x6001' as Hex };
    const account = { nonce: 1n, balance: 5n, ...code };
    await tree.applyBlock({ number: number++, changes: [{ address: contract, account, storage }] });
  }
  for (let from = 1; from < leaves; from += perBlock) {
    const changes = Array.from({ length: Math.min(perBlock, leaves - from) }, (_, i) => ({
      address: word(20),
      account: { nonce: BigInt(i), balance: BigInt(word(8)) },
    }));
    await tree.applyBlock({ number: number++, changes });
  }
  const stateRoot = await tree.stateRoot();
  // Spread over the whole tree, so that paths share as little as they can.
  const present = Array.from({ length: 1000 }, (_, i) => slots[(i * 7919) % leaves] as Hex);
  const absent = Array.from({ length: 1000 }, () => word(32));
  const kinds = [
    { what: 'present', keys: present, asked: counts },
    { what: 'absent', keys: absent, asked: counts.slice(1) },
  ];
  const questions: Question[] = [];
  for (const { what, keys, asked } of kinds) {
    for (const count of asked) {
      const storageKeys = keys.slice(0, count);
      const answer = await tree.getProof(contract, storageKeys);
      // Through JSON, as off the wire: text that was put together piece by piece is slower to read.
      const result: unknown = JSON.parse(JSON.stringify(answer));
      const claim = { stateRoot, address: contract, storageKeys, hash };
      questions.push({ what, slots: count, result, claim });
    }
  }
  await tree.close();
  return questions;
}

interface Report {
  readonly what: string;
  readonly slots: number;
  readonly json: number;
  readonly gzip: number;
  readonly compact: number;
  readonly times: { readonly json: Spread; readonly compact: Spread; readonly ratio: Spread };
}

function measure({ what, slots, result, claim }: Question): Report {
  const json = JSON.stringify(result);
  const bytes = compactProof(result, claim);
  const samples = interleave(
    {
      json: timed(() => verifyProof(result, claim)),
      compact: timed(() => verifyCompactProof(bytes, claim)),
    },
    rounds,
  );
  return {
    what,
    slots,
    json: json.length,
    gzip: gzipSync(json, { level: 9 }).length,
    compact: bytes.length,
    times: {
      json: spreadOf(samples.json),
      compact: spreadOf(samples.compact),
      ratio: ratioOf(samples.compact, samples.json),
    },
  };
}

const size = (bytes: number) => (bytes < 1e5 ? `${bytes} B` : `${digits(bytes / 1e3)} kB`);
const cells = (row: readonly unknown[]) => `| ${row.join(' | ')} |`;

function sizeTable(reports: readonly Report[]): string[] {
  const rows = reports.map(({ what, slots, json, gzip, compact }) => {
    const bar = bars.bytes[counts.indexOf(slots as 0)] as number;
    const isMet = json / compact >= bar && gzip / compact >= bars.gzip;
    const ratios = [digits(json / compact), bar, digits(gzip / compact), bars.gzip];
    return [
      slots,
      what,
      ...[json, gzip, compact].map(size),
      ...ratios,
      isMet ? 'met' : '**missed**',
    ];
  });
  const head = ['slots', '', 'JSON', 'gzip -9', 'compact', 'JSON / compact', 'bar'];
  return [
    cells([...head, 'gzip / compact', 'bar', '']),
    cells(['---:', '---', ...Array(7).fill('---:'), '---']),
    ...rows.map(cells),
  ];
}

function timeTable(reports: readonly Report[]): string[] {
  const verdictOf = (slots: number, { median }: Spread) => {
    if (slots < 100) return '';
    if (median <= bars.timeStretch) return 'stretch met';
    return median <= bars.time ? 'met' : '**missed**';
  };
  const rows = reports.map(({ what, slots, times: { json, compact, ratio } }) => [
    slots,
    what,
    time(json.median),
    time(compact.median),
    ratio.median.toFixed(2),
    `${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)}`,
    verdictOf(slots, ratio),
  ]);
  return [
    cells([
      'slots',
      '',
      'JSON',
      'compact',
      'compact / JSON',
      'quartiles',
      '≤ 1/2 (1/3) from 100 on',
    ]),
    cells(['---:', '---', '---:', '---:', '---:', '---', '---']),
    ...rows.map(cells),
  ];
}

const families: readonly HashFamily[] = ['poseidon2', 'mimc'];
const reports = new Map<HashFamily, Report[]>();
for (const family of families) {
  reports.set(family, (await questionsOf(family)).map(measure));
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const present = (reports.get('poseidon2') as Report[]).filter(({ what }) => what === 'present');
const colours = { json: '#8250df', gzip: '#0969da', compact: '#1a7f37' };
writeFileSync(
  here('compact.svg'),
  barPlot(
    'Bytes of a proof, by storage slots (Poseidon2, 20,000 accounts and slots)',
    size,
    present.flatMap(({ slots, ...bytes }) =>
      (['json', 'gzip', 'compact'] as const).map((form) => ({
        label: `${slots} slots, ${form === 'gzip' ? 'JSON, gzip -9' : form === 'json' ? 'JSON' : form}`,
        value: bytes[form],
        colour: colours[form],
      })),
    ),
  ),
);
writeFileSync(
  here('compactTime.svg'),
  barPlot(
    'Time to verify, by storage slots (Poseidon2)',
    time,
    present.flatMap(({ slots, times }) =>
      (['json', 'compact'] as const).map((form) => ({
        label: `${slots} slots, ${form === 'json' ? 'JSON' : form}`,
        value: times[form].median,
        colour: colours[form],
      })),
    ),
  ),
);
const page = [
  '# Compact proofs',
  '',
  ...families.flatMap((family) => [
    `## ${family}`,
    '',
    ...sizeTable(reports.get(family) as Report[]),
    '',
    ...timeTable(reports.get(family) as Report[]),
    '',
  ]),
  '![bytes](compact.svg)',
  '',
  '![time](compactTime.svg)',
  '',
  `\`npm run bench -- compact\` on ${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}.`,
  '',
  'Results of `l2_getProof` on a tree of 20,000 accounts and 20,000 slots, the slots asked spread over the whole tree, as JSON without',
  `white space and as compact proofs: processor time, medians of ${rounds} rounds by turns, the ratio of the medians, the quartiles of the`,
  "rounds' ratios. Under MiMC hashing is nearly all of the time, and a compact proof saves the hashing of the siblings alone.",
  '',
];
writeFileSync(here('COMPACT.md'), page.join('\n'));
console.log(page.join('\n'));
