/** Damaged files of an index: each answers as before, or with an error that says what to do, and never otherwise. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIndexer } from '../../../src/indexer/indexer.js';
import { openIndex, openSizedIndex } from '../../../src/indexer/openIndex.js';
import { sealed } from '../../../src/indexer/sealed/sealedStore.js';
import { lmdbStore } from '../../../src/lmdb/index.js';
import { createTransport } from '../../../src/rpc/index.js';
import { type Entry, memoryStore, type Store } from '../../../src/tree/index.js';
import { type Anvil, startAnvil } from '../../support/anvil.js';
import { randomOf } from '../../support/blocks.js';
import { newFolder } from '../../support/folder.js';
import { answersOf } from '../../support/indexAnswers.js';
import { startScript } from '../../support/processes.js';
import { patience } from '../../support/runs.js';
import { entriesOf } from '../../support/stores.js';
import { startHistory } from '../../support/tokenHistory.js';

/** Segments of a few records, on several levels, and some loose ones. */
const sizes = { loose: 30, page: 500, fanIn: 2, step: 60 };
const flipsOfFile = process.env.DEEP ? 4000 : 250;

let node: Anvil;
let entries: readonly Entry[];
const folder = newFolder();

async function feed(store: Store, rounds: number): Promise<void> {
  const history = await startHistory(node, 61);
  const index = await openSizedIndex({ store, chainId: 31337 }, sizes);
  for (let i = 0; i < rounds; i++) {
    await history.mine(6);
    await createIndexer({ index, l2: createTransport({ url: node.url }) }).run({ once: true });
  }
}

beforeAll(async () => {
  node = await startAnvil('--auto-impersonate');
  const memory = memoryStore();
  await feed(memory, 6);
  entries = await entriesOf(memory);
  const store = lmdbStore({ path: folder });
  await feed(store, 8);
  await store.close();
}, patience);
afterAll(() => node.close());

async function storeOf(given: readonly Entry[]): Promise<Store> {
  const store = memoryStore();
  await store.write({ puts: given, deletes: [] });
  return store;
}

const answersIn = async (given: readonly Entry[]) =>
  answersOf(await openIndex({ store: await storeOf(given), name: 'the index at "./here"' }));

const told =
  /^the index at ".\/here": .*; feed a new one in another folder: createIndexer \(DAMAGED\)$/;

/** What came of damage: the same answers, or damage that is told. */
async function outcomeOf(given: readonly Entry[], expected: string): Promise<string> {
  try {
    return (await answersIn(given)) === expected ? 'same' : 'other';
  } catch (cause) {
    const { name, code, message } = cause as Error & { code: string };
    if (code === 'DAMAGED') return told.test(message) ? 'told' : message;
    return `${name} ${code}`;
  }
}

const flipped = (bytes: Uint8Array, at: number): Uint8Array => {
  const copy = Uint8Array.from(bytes);
  copy[at >> 3] = (copy[at >> 3] as number) ^ (1 << (at & 7));
  return copy;
};

test(
  'an entry with a flipped bit, one that is cut or longer, and one that is lost',
  async () => {
    const expected = await answersIn(entries);
    const random = randomOf(7);
    const tally = new Map<string, number>();
    for (const [i, { key, value }] of entries.entries()) {
      const others = entries.filter((_, j) => j !== i);
      const damaged: Entry[] = [
        ...[1, 2, 3].map(() => ({ key: flipped(key, random(8 * key.length)), value })),
        ...[1, 2, 3].map(() => ({ key, value: flipped(value, random(8 * value.length)) })),
        { key, value: value.subarray(0, random(value.length)) },
        { key, value: Uint8Array.of(...value, 0) },
        { key: Uint8Array.of(...key, 0), value },
        { key, value: (entries[(i + 1) % entries.length] as Entry).value },
      ];
      for (const list of [others, ...damaged.map((one) => [...others, one])]) {
        const outcome = await outcomeOf(list, expected);
        tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
      }
    }
    expect([...tally.keys()].sort()).toEqual(['IndexError WRONG_INDEX', 'same', 'told']);
    // What says which version and chain the index is of.
    expect(tally.get('IndexError WRONG_INDEX')).toBeLessThan(12);
    expect(tally.get('told')).toBeGreaterThan(entries.length);
  },
  patience,
);

test(
  'an entry that is as it was some blocks ago, or deleted before',
  async () => {
    const before = memoryStore();
    const old = entriesOf;
    await feed(before, 4);
    const index = await openSizedIndex({ store: before, chainId: 31337 }, sizes);
    const then = await old(before);
    const history = await startHistory(node, 62);
    for (let i = 0; i < 3; i++) {
      await history.mine(7);
      await createIndexer({ index, l2: createTransport({ url: node.url }) }).run({ once: true });
    }
    const now = new Map((await entriesOf(before)).map((entry) => [String(entry.key), entry]));
    const expected = await answersIn([...now.values()]);
    let changed = 0;
    for (const entry of then) {
      const name = String(entry.key);
      if (String(now.get(name)?.value) === String(entry.value)) continue;
      changed++;
      const outcome = await outcomeOf([...new Map(now).set(name, entry).values()], expected);
      expect(['same', 'told']).toContain(outcome);
    }
    expect(changed).toBeGreaterThan(20);
  },
  patience,
);

test(
  'a bit anywhere in the file of a store',
  async () => {
    const random = randomOf(8);
    const { size } = await import('node:fs').then(({ statSync }) => statSync(`${folder}/data.mdb`));
    const flips = Array.from({ length: flipsOfFile }, () => `${random(size)}.${random(8)}`);
    const outcomes: string[] = [];
    let from = 0;
    while (from < flips.length) {
      const script = 'test/support/indexFlips.ts';
      const child = startScript(script, folder, String(from), flips.join(','));
      await child.end;
      const done = child.lines.filter((line) => line.startsWith('done'));
      outcomes.push(...done.map((line) => line.split(' ').slice(2).join(' ')));
      if (child.lines.at(-1) === 'end') break;
      // LMDB believes its own pages, and ended the process.
      const started = child.lines.filter((line) => line.startsWith('start')).length;
      expect(started).toBeGreaterThan(0);
      from += started;
    }
    expect(outcomes.length).toBeGreaterThan(flipsOfFile * 0.9);
    const kinds = new Set(outcomes);
    for (const kind of kinds) expect(kind).toMatch(/^(same|(Index|Tree)Error [A-Z_]+ told)$/);
    expect(kinds.has('same') && kinds.has('IndexError DAMAGED told')).toBe(true);
  },
  patience,
);

test('a writer gives no other answer either: it goes on, or says that the index is damaged', async () => {
  const random = randomOf(9);
  const counted = entries.filter(({ key }) => [0x41, 0x42, 0x43, 0x4b, 0x55].includes(key[0] ?? 0));
  const expected = await storeOf(entries);
  const mine = async (store: Store) => {
    const index = await openSizedIndex({ store, chainId: 31337 }, sizes);
    await index.revert(((await index.newestBlock()) as number) - 1);
    await createIndexer({ index, l2: createTransport({ url: node.url }) }).run({ once: true });
    return answersOf(index);
  };
  const answers = await mine(expected);
  for (let i = 0; i < 40; i++) {
    const lost = counted[random(counted.length)];
    const outcome = await mine(await storeOf(entries.filter((entry) => entry !== lost))).then(
      (got) => (got === answers ? 'same' : 'other'),
      (error) => error.code,
    );
    expect(['same', 'DAMAGED']).toContain(outcome);
  }
});

test('a store is sealed once', () => {
  const store = sealed(memoryStore());
  expect(sealed(store)).toBe(store);
});
