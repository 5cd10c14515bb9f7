/**
 * `npm run bench -- follow`: what a follower pays for comparing what traces say stood before a block with the leaves that it
 * reads anyway, as a ratio to the same blocks without the comparison, by processor time. Each block takes the way from the
 * node's text to the applied state; only the node and the network are missing. Then a follower in LMDB, with both, beside
 * fetching alone; `--fetching` does that only, `--changes 10,100` takes other blocks, `--rounds 4` fewer rounds.
 */
import { parseArgs } from 'node:util';
import { createCodeHashes } from '../src/follow/node/codeHashes.js';
import { parseTransactionDiffs } from '../src/follow/node/transactionDiff.js';
import { BlockMerge } from '../src/follow/stateDiff/blockMerge.js';
import { type AccountChange, type Hex, openStateTree, type StateTree } from '../src/tree/index.js';
import { compareWithFetching } from './followFetch.js';
import { ratioOf, spreadOf } from './measure.js';
import { digits } from './report.js';

const wallets = 20_000;
const contracts = 200;
const codeBytes = 10_000;
const slotsEach = 20;
const transactions = 200;
const writes = 3;
const blocks = 60;

const hex = (value: number, width: number): Hex =>
  `0x${value.toString(16).padStart(2 * width, '0')}`;
const word = (value: number): Hex => hex(value, 32);
const wallet = (i: number): Hex => hex(1 + i, 20);
const contract = (i: number): Hex => hex(0x1000_0000 + i, 20);
const codes = Array.from(
  { length: contracts },
  (_, i): Hex => `0x${(i % 256).toString(16).padStart(2, '0').repeat(codeBytes)}`,
);

function genesis(): AccountChange[] {
  const users = Array.from({ length: wallets }, (_, i) => ({
    address: wallet(i),
    account: { nonce: 0n, balance: 10n ** 18n },
  }));
  const storage = Array.from({ length: slotsEach }, (_, i) => ({ key: word(i), value: word(1) }));
  const all = codes.map((code, i) => ({
    address: contract(i),
    account: { nonce: 1n, balance: 0n, code },
    storage,
  }));
  return [...users, ...all];
}

/** What each slot of every contract holds. */
const held = Array.from({ length: slotsEach }, () => 1);

/** The text of a block's traces: each transaction is another wallet's, and writes slots of a contract. */
function tracesOf(block: number): string {
  const keys = Array.from({ length: writes }, (_, k) => (block * writes + k) % slotsEach);
  const slots = (value: (key: number) => number) =>
    Object.fromEntries(keys.map((key) => [word(key), word(value(key))]));
  const before = slots((key) => held[key] as number);
  const after = slots(() => block + 2);
  for (const key of keys) held[key] = block + 2;
  const traces = Array.from({ length: transactions }, (_, i) => {
    const sender = wallet(block * transactions + i);
    const target = contract(i % contracts);
    return {
      result: {
        pre: {
          [sender]: { balance: '0xde0b6b3a7640000' },
          [target]: { balance: '0x0', nonce: 1, code: codes[i % contracts], storage: before },
        },
        post: { [sender]: { nonce: 1 }, [target]: { storage: after } },
      },
    };
  });
  return JSON.stringify(traces);
}

const hashes = Array.from({ length: transactions }, () => word(0));

/** One follower: its tree, and whether it compares. */
async function openSide(isCompared: boolean) {
  const tree = await openStateTree();
  await tree.applyBlock({ number: 0, changes: genesis() });
  await tree.finalize(0);
  const codeHashes = isCompared ? createCodeHashes() : { of: () => word(0) };
  return (number: number, text: string) => apply(tree, number, text, isCompared, codeHashes);
}

async function apply(
  tree: StateTree,
  number: number,
  text: string,
  isCompared: boolean,
  codeHashes: { of(code: Hex): Hex },
): Promise<number> {
  const start = process.cpuUsage();
  const merge = new BlockMerge({ canDestroy: false });
  for (const diff of parseTransactionDiffs(JSON.parse(text), hashes)) merge.apply(diff);
  const changes = merge.changes(codeHashes);
  await tree.applyBlock({ number, changes: isCompared ? changes : changes.map(withoutBefore) });
  await tree.finalize(number);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const withoutBefore = ({ before: _, storage = [], ...change }: AccountChange): AccountChange => ({
  ...change,
  storage: storage.map(({ key, value }) => ({ key, value })),
});

/** Prints what the comparison costs. */
async function compareTraces(): Promise<void> {
  const compared = await openSide(true);
  const plain = await openSide(false);
  const samples = { compared: [] as number[], plain: [] as number[] };
  for (let number = 1; number <= blocks; number++) {
    const text = tracesOf(number - 1);
    // Each side goes first in every other block: the second one finds the caches warm.
    const sides = [
      async () => samples.compared.push(await compared(number, text)),
      async () => samples.plain.push(await plain(number, text)),
    ];
    for (const run of number % 2 === 0 ? sides : sides.reverse()) await run();
  }

  /** The first blocks find neither the code compiled nor the contracts' code hashed. */
  const warm = (values: readonly number[]) => values.slice(blocks / 3);
  const ratio = ratioOf(warm(samples.compared), warm(samples.plain));
  const { median } = spreadOf(warm(samples.plain));
  console.log(
    `${2 * transactions} accounts and ${transactions * writes} slots a block, ${codeBytes} bytes of code in each contract`,
  );
  console.log(`without the comparison: ${digits(median)} ms a block`);
  console.log(
    `with it: x ${digits(ratio.median)} (quartiles ${digits(ratio.low)} to ${digits(ratio.high)})`,
  );
  console.log(
    `the first block: x ${digits((samples.compared[0] as number) / (samples.plain[0] as number))}`,
  );
}

const { values } = parseArgs({
  options: {
    fetching: { type: 'boolean', default: false },
    changes: { type: 'string', default: '100,1000' },
    rounds: { type: 'string', default: '8' },
  },
});
if (!values.fetching) await compareTraces();
await compareWithFetching(values.changes.split(',').map(Number), Number(values.rounds));
