/** `npm run bench`: times the built library against its yardsticks; writes RESULTS.md and the plots beside it. */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import type { HashFamily } from '../src/index.js';
import { oneProof, pair, threeSlots } from './cases.js';
import { coldStarts } from './cold.js';
import { machine, madeBy, pageOf } from './frame.js';
import { type Spread, spreadOf } from './measure.js';
import { streamProofs } from './memory.js';
import { nativeMissing } from './native.js';
import { publish } from './pictures.js';
import { againstBigInt, againstNative, againstPortable, blockTimes, stages } from './proofs.js';
import { digits, type Row, ratioTable, type TimeRow, timeTable } from './report.js';
import { againstOneProof, manySlots } from './savings.js';
import type { Table } from './tables.js';
import { checkYardsticks } from './yardsticks.js';

const { long } = parseArgs({ options: { long: { type: 'boolean' } } }).values;
const families: readonly HashFamily[] = ['mimc', 'poseidon2'];
const titles: Record<HashFamily, string> = { mimc: 'MiMC', poseidon2: 'Poseidon2' };
const where = machine();

/** Says what runs, as all of it takes minutes, and runs it. */
function section<T>(name: string, run: () => T): T {
  console.error(`bench: ${name}`);
  return run();
}

const both = <T>(name: string, run: (family: HashFamily) => T) => ({
  mimc: section(`MiMC, ${name}`, () => run('mimc')),
  poseidon2: section(`Poseidon2, ${name}`, () => run('poseidon2')),
});

const exact = (value: number): Spread => ({ median: value, low: value, high: value });

checkYardsticks();
// The portable form comes last, see there.
const native = both('native', againstNative);
const bigInt = both('BigInt', againstBigInt);
const stage = both('stages', stages);
const savings = section('pair and three slots', againstOneProof);
const slots = section('many slots', manySlots);
const blocks = section('hash blocks', blockTimes);
const cold = section('cold starts', coldStarts);
const stream = long ? section('a million proofs', () => streamProofs(1_000_000)) : undefined;
const portable = both('portable form', againstPortable);
const [size] = JSON.parse(
  execFileSync('npx', ['size-limit', '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
) as [{ size: number }];

const notNative = nativeMissing() ?? '';
const below = (must: number, stretch: number) => ({ must, stretch, good: 'below' as const });
const above = (must: number, stretch: number) => ({ must, stretch, good: 'above' as const });
const milliseconds = { unit: 'ms' };

const rows: Row[] = [
  {
    what: 'MiMC, warm proof, against native',
    figure: native.mimc?.asShipped ?? notNative,
    target: below(2.6, 2.1),
  },
  {
    what: 'MiMC, the same if nothing can be saved',
    figure: native.mimc?.withoutSavings ?? notNative,
    target: below(2.6, 2.1),
  },
  {
    what: 'Poseidon2, warm proof, against native',
    figure: native.poseidon2?.asShipped ?? notNative,
    target: below(1.6, 1.15),
  },
  {
    what: 'Poseidon2, the same if nothing can be saved',
    figure: native.poseidon2?.withoutSavings ?? notNative,
    target: below(1.6, 1.15),
  },
  { what: 'MiMC, tuned BigInt against l2proof', figure: bigInt.mimc.tuned, target: above(7, 9) },
  {
    what: 'MiMC, tuned BigInt against l2proof if nothing can be saved',
    figure: bigInt.mimc.withoutSavings,
  },
  { what: 'MiMC, noble `Field` against l2proof', figure: bigInt.mimc.noble },
  {
    what: 'Poseidon2, tuned BigInt against l2proof',
    figure: bigInt.poseidon2.tuned,
    target: above(70, 110),
  },
  {
    what: 'Poseidon2, tuned BigInt against l2proof if nothing can be saved',
    figure: bigInt.poseidon2.withoutSavings,
  },
  { what: 'Poseidon2, noble `Field` against l2proof', figure: bigInt.poseidon2.noble },
  {
    what: 'Poseidon2, without WebAssembly against with it',
    figure: portable.poseidon2.portable,
    target: below(6, 4),
  },
  { what: 'MiMC, without WebAssembly against with it', figure: portable.mimc.portable },
  {
    what: 'Poseidon2, cold start to the first verified state',
    figure: cold.poseidon2.whole,
    target: below(45, 25),
    ...milliseconds,
  },
  {
    what: 'MiMC, cold start to the first verified state',
    figure: cold.mimc.whole,
    target: below(60, 35),
    ...milliseconds,
  },
  { what: 'of it, loading the package', figure: cold.poseidon2.load, ...milliseconds },
  {
    what: 'MiMC, absent account (two paths) against one path without savings',
    figure: savings.pair,
    target: below(1.6, 1.4),
  },
  {
    what: 'MiMC, three slots (with less without) against one path without savings',
    figure: savings.slots,
    target: below(1.2, 0.9),
  },
  {
    what: 'Poseidon2, 1,000 slots in one result, time per slot against asking one',
    figure: slots.whole,
    target: below(0.35, 0.2),
  },
  { what: 'the same, the account itself taken off both', figure: slots.slotsAlone },
  {
    what: 'Poseidon2, reading hex, share of a warm proof',
    figure: stage.poseidon2.decode,
    target: below(0.25, 0.12),
  },
  {
    what: 'Poseidon2, `parseProof`, which reads and checks all but hashes, share',
    figure: stage.poseidon2.parse,
  },
  { what: 'Poseidon2, hashing the path, share', figure: stage.poseidon2.recoverRoot },
  {
    what: "all that `import 'l2proof'` loads, minified and compressed",
    figure: exact(size.size / 1000),
    target: below(32, 28),
    unit: 'kB',
  },
];

const wasmTimes = (family: HashFamily) =>
  spreadOf(native[family]?.samples.wasm ?? bigInt[family].samples.wasm);
/** One warm proof by what the library is held against. */
function others(family: HashFamily): TimeRow[] {
  const { tuned, noble } = bigInt[family].samples;
  const nativeSamples = native[family]?.samples.native;
  const all: [string, readonly number[]][] = [
    ...(nativeSamples ? [['native, one thread', nativeSamples] as [string, number[]]] : []),
    ['without WebAssembly', portable[family].samples.portable],
    ['tuned BigInt', tuned],
    ['noble `Field`', noble],
  ];
  return all.map(([name, samples]) => ({
    what: `${titles[family]}, one warm proof, ${name}`,
    spread: spreadOf(samples),
  }));
}

const times: TimeRow[] = [
  ...families.flatMap((family): TimeRow[] => [
    { what: `${titles[family]}, one hash block`, spread: blocks[family] },
    { what: `${titles[family]}, one warm proof`, spread: wasmTimes(family) },
    ...others(family),
  ]),
  { what: 'MiMC, absent account', spread: spreadOf(savings.samples.pair) },
  { what: 'MiMC, contract with three slots', spread: spreadOf(savings.samples.slots) },
  ...slots.perSlot.map(({ count, time: spread }) => ({
    what: `Poseidon2, one slot of ${count} asked at once`,
    spread,
  })),
];

const megabytes = (bytes: number) => `${digits(bytes / 1e6)} MB`;
const streamTables: Table[] = stream
  ? [
      {
        head: ['a million Poseidon2 proofs in a stream', 'figure'],
        rows: [
          ['time', `${digits(stream.seconds)} s`],
          ['heap after the warm-up', megabytes(stream.before.heapUsed)],
          ['heap at the end', megabytes(stream.after.heapUsed)],
          ['process after the warm-up', megabytes(stream.before.rss)],
          ['process at the end', megabytes(stream.after.rss)],
        ],
      },
    ]
  : [];

const files = [oneProof.mimc, oneProof.poseidon2, pair, threeSlots].map(
  ({ file }) => `\`${file}\``,
);
const page = pageOf({
  title: 'Verifying a proof',
  about: `Competitors run by turns; a ratio is that of their medians, with the quartiles of the rounds' ratios. Time is processor time
    of the whole process; only cold starts go by the wall clock. Native is a C program; BigInt and noble's \`Field\` are
    JavaScript. "If nothing can be saved" means the same proof in a tree without empty sub-trees: all 84 nodes are hashed, as the
    others always do. They hash the path alone, and l2proof reads its proof from text, too. Proofs: ${files.join(', ')}.`,
  made: madeBy(`npm run bench -- verify${long ? ' --long' : ''}`, where),
  tables: [ratioTable(rows), timeTable(times), ...streamTables],
  shows: `One proof takes a fraction of what BigInt takes, and at most about twice what a native program does. Memory does not grow
    with the number of proofs. Ratios are what to rely on: absolute times vary more with the machine.`,
});
console.log(publish('RESULTS.md', page));
