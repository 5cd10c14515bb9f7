/** Stores that the releases before wrote: they are refused with the command that converts them, and converted. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { HashFamily, Hex } from '../../../src/index.js';
import { openIndex } from '../../../src/indexer/openIndex.js';
import { lmdbStore } from '../../../src/lmdb/index.js';
import {
  type AccountChange,
  type Entry,
  memoryStore,
  migrateStore,
  openStateTree,
  type StateTree,
  type Store,
} from '../../../src/tree/index.js';
import { newFolder } from '../../support/folder.js';
import { startChild } from '../../support/processes.js';
import { patience } from '../../support/runs.js';
import { entriesOf } from '../../support/stores.js';

const folder = newFolder();
let count = 0;

/** A copy: opening a store may change it. */
function copyOf(fixture: string): string {
  const path = join(folder, `store${++count}`);
  cpSync(join('test/fixtures', fixture), path, { recursive: true });
  return path;
}

async function open(path: string, hash: HashFamily, readOnly: boolean) {
  const store = lmdbStore({ path, readOnly });
  try {
    return await openStateTree({ store, hash });
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Version in the mark of a store. */
async function versionOf(path: string): Promise<string | undefined> {
  const store = lmdbStore({ path, readOnly: true });
  const mark = (await entriesOf(store)).find(({ key }) => key[0] === 0x4d);
  await store.close();
  return /version \d+/.exec(Buffer.from(mark?.value ?? []).toString())?.[0];
}

describe('the command', () => {
  const l2proof = (...args: string[]) =>
    spawnSync(process.execPath, ['dist/cli/main.js', ...args], {
      encoding: 'utf8',
      timeout: 60_000,
    });

  test('converts a store, and says so', () => {
    const path = copyOf('store-v2/poseidon2');
    const refused = l2proof('serve', '--store', path, '--finality', '2', '--port', '0');
    expect(refused).toMatchObject({ status: 3, stderr: expect.stringMatching(/migrate --store/) });
    const done = l2proof('migrate', '--store', path);
    expect(done).toMatchObject({ status: 0, stderr: '' });
    expect(done.stdout).toBe('the store has the format of this release\n');
    expect(l2proof('migrate', '--store', path)).toMatchObject({ status: 0, stderr: '' });
  });

  test('converts one of version 1 only if it is told to keep its state', () => {
    const path = copyOf('store-v1');
    const refused = l2proof('migrate', '--store', path);
    expect(refused).toMatchObject({ status: 3, stderr: expect.stringMatching(/--keep-state/) });
    expect(l2proof('migrate', '--store', path, '--keep-state').status).toBe(0);
    expect(l2proof('migrate').status).toBe(3);
    const missing = join(path, 'missing');
    expect(l2proof('migrate', '--store', missing)).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('there is no store at'),
    });
    expect(existsSync(missing)).toBe(false);
  });
});

describe.each([
  ['a writer', false],
  ['a reader', true],
])('%s', (_, readOnly) => {
  test.each([
    ['poseidon2', 'store-v2/poseidon2'],
    ['mimc', 'store-v2/mimc'],
  ] as const)('is refused a store of version 2 of %s', async (hash, fixture) => {
    const path = copyOf(fixture);
    const opened = open(path, hash, readOnly);
    await expect(opened).rejects.toMatchObject({ name: 'TreeError', code: 'WRONG_STORE' });
    await expect(opened).rejects.toThrow(/: migrateStore \(WRONG_STORE\)$/);
    expect(await versionOf(path)).toBe('version 2');
  });

  test('is refused a store of version 1 with what feeds it again', async () => {
    const path = copyOf('store-v1');
    const opened = open(path, 'poseidon2', readOnly);
    await expect(opened).rejects.toMatchObject({ name: 'TreeError', code: 'WRONG_STORE' });
    await expect(opened).rejects.toThrow(/Feed a new store: loadStateFile and createFollower\./);
    await expect(opened).rejects.toThrow(
      /convert it: migrateStore with keepState \(WRONG_STORE\)$/,
    );
    expect(await versionOf(path)).toBe('version 1');
  });
});

/** What the release before answered of the store that it wrote. */
interface Answered {
  held: { block: number; stateRoot: Hex; answers: string[] }[];
  /** State root after one more block. */
  next: Hex;
}
interface Answers extends Record<HashFamily, Answered> {
  keepFinal: number;
  chain: { number: number; changes: AccountChange[]; final?: boolean }[];
  next: { number: number; changes: AccountChange[] };
  asked: Hex[];
  keys: Hex[];
}
const recorded: Answers = JSON.parse(readFileSync('test/fixtures/store-v2/answers.json', 'utf8'));

/** Numbers as the tree takes them. */
const plain = (changes: AccountChange[]): AccountChange[] =>
  changes.map(({ account, ...rest }) => ({
    ...rest,
    account: account && { ...account, balance: BigInt(account.balance) },
  }));

/** Compares what a tree answers with what the release before did, at each block from one on. */
async function checkAnswers(tree: StateTree, { held }: Answered, from = 0): Promise<void> {
  for (const { block, stateRoot, answers } of held.filter((one) => one.block >= from)) {
    expect(await tree.stateRoot(block)).toBe(stateRoot);
    const hash: Hex = `0x${(0xabc000 + block).toString(16).padStart(64, '0')}`;
    expect(await tree.blockHash(block)).toBe(hash);
    expect(await tree.blockNumber(hash)).toBe(block);
    for (const [i, address] of recorded.asked.entries()) {
      const text = JSON.stringify(await tree.getProof(address, recorded.keys, block));
      const digest = createHash('sha256').update(text).digest('hex');
      expect(digest, `${address} at block ${block}`).toBe(answers[i]);
    }
  }
}

/** All entries of a fixture, to be converted in memory. */
async function fixtureEntries(fixture: string): Promise<readonly Entry[]> {
  const store = lmdbStore({ path: copyOf(fixture) });
  const entries = await entriesOf(store);
  await store.close();
  return entries;
}

async function memoryOf(entries: readonly Entry[]): Promise<Store> {
  const store = memoryStore();
  await store.write({ puts: entries, deletes: [] });
  return store;
}

describe.each(['poseidon2', 'mimc'] as const)('a converted store of %s', (hash) => {
  const fixture = `store-v2/${hash}`;
  const { keepFinal } = recorded;

  test(
    'answers as before at each block held, goes on, and takes blocks back',
    async () => {
      const store = lmdbStore({ path: copyOf(fixture) });
      const shares: number[] = [];
      await migrateStore(store, { onProgress: (share) => shares.push(share) });
      expect(shares.at(-1)).toBeCloseTo(1, 0);
      expect([...shares].sort((a, b) => a - b)).toEqual(shares);
      const kinds = new Set(
        (await entriesOf(store)).map(({ key }) => String.fromCharCode(key[0] as number)),
      );
      expect([...kinds].sort().join('')).toBe('BCFKLMOPST');
      const tree = await openStateTree({ store, hash, keepFinal });
      await checkAnswers(tree, recorded[hash]);
      const { number, changes } = recorded.next;
      const apply = () => tree.applyBlock({ number, changes: plain(changes) });
      expect((await apply()).stateRoot).toBe(recorded[hash].next);
      await checkAnswers(tree, recorded[hash]);
      const blocks = recorded[hash].held.map(({ block }) => block);
      for (const block of blocks.slice(-3).reverse()) {
        await tree.revert(block);
        await checkAnswers(tree, {
          ...recorded[hash],
          held: recorded[hash].held.filter((one) => one.block <= block),
        });
      }
      for (const one of recorded.chain.filter((one) => one.number > (blocks.at(-3) as number))) {
        await tree.applyBlock({ number: one.number, changes: plain(one.changes) });
      }
      expect((await apply()).stateRoot).toBe(recorded[hash].next);
      // Nothing is left of what a store does not hold that is fed anew.
      await tree.finalize(number - 1);
      await tree.finalize(number);
      const fresh = memoryStore();
      const other = await openStateTree({ store: fresh, hash, keepFinal });
      for (const one of [...recorded.chain, recorded.next]) {
        await other.applyBlock({ number: one.number, changes: plain(one.changes) });
        if (one.number >= number - 1) await other.finalize(one.number);
      }
      const leavesOf = (entries: readonly Entry[]) =>
        entries.filter(({ key }) => 'LOPT'.includes(String.fromCharCode(key[0] as number)));
      const [converted, anew] = [
        leavesOf(await entriesOf(store)),
        leavesOf(await entriesOf(fresh)),
      ];
      expect(converted.map(({ value }) => Buffer.from(value).toString('hex'))).toEqual(
        anew.map(({ value }) => Buffer.from(value).toString('hex')),
      );
      await tree.close();
    },
    patience,
  );

  test(
    'is the same if the work is ended between any two writes, and refused meanwhile',
    async () => {
      const entries = await fixtureEntries(fixture);
      const whole = await memoryOf(entries);
      let writes = 0;
      const count = (store: Store, limit: number): Store => ({
        ...store,
        async write(batch) {
          if (writes++ === limit) throw new Error('killed');
          await store.write(batch);
        },
      });
      await migrateStore(count(whole, Number.POSITIVE_INFINITY));
      const expected = await entriesOf(whole);
      expect(writes).toBeGreaterThan(5);
      for (let limit = 0, total = writes; limit < total; limit++) {
        const store = await memoryOf(entries);
        writes = 0;
        await expect(migrateStore(count(store, limit))).rejects.toThrow('killed');
        await expect(openStateTree({ store, hash })).rejects.toThrow(
          /: migrateStore \(WRONG_STORE\)$/,
        );
        await migrateStore(store);
        expect(await entriesOf(store)).toEqual(expected);
      }
    },
    patience,
  );
});

test(
  'a process that converts a store and is killed at any moment leaves one that goes on',
  async () => {
    const runs = process.env.DEEP ? 40 : 2;
    for (let run = 0; run < runs; run++) {
      const path = copyOf('store-v2/poseidon2');
      for (let isDone = false; !isDone; ) {
        const child = startChild('migrate', path);
        // The mark, and the one behind it, so that a part is done each time; it may be more.
        for (let writes = 2 + Math.floor(Math.random() * 3); writes > 0; writes--) {
          await child.next('write').catch(() => {});
        }
        await sleep(Math.random() * 20);
        child.process.kill('SIGKILL');
        await child.end;
        const store = lmdbStore({ path });
        const opened = openStateTree({ store, keepFinal: recorded.keepFinal });
        const tree = await opened.catch(({ message }: Error) => {
          expect(message).toMatch(/: migrateStore \(WRONG_STORE\)$/);
        });
        isDone = tree !== undefined;
        if (tree) await checkAnswers(tree, recorded.poseidon2);
        await (tree ?? store).close();
      }
    }
  },
  patience,
);

test('a store that holds an index is named in text alone: its sum is not shown', async () => {
  for (const chainId of [1, 31337, 59144]) {
    const store = memoryStore();
    await openIndex({ store, chainId });
    await expect(openStateTree({ store })).rejects.toMatchObject({
      code: 'WRONG_STORE',
      message: expect.stringMatching(/^the store holds "l2proof index, version 4", not "[ -~]+"/),
    });
  }
});

test('a conversion can be aborted, and one of a converted store changes nothing', async () => {
  const store = await memoryOf(await fixtureEntries('store-v2/poseidon2'));
  const abort = new AbortController();
  const onProgress = () => abort.abort(new Error('enough'));
  await expect(migrateStore(store, { signal: abort.signal, onProgress })).rejects.toThrow('enough');
  await expect(openStateTree({ store })).rejects.toThrow(/cut short/);
  await migrateStore(store);
  const entries = await entriesOf(store);
  await migrateStore(store);
  expect(await entriesOf(store)).toEqual(entries);
});

test('what is no state tree is not converted', async () => {
  const empty = memoryStore();
  await expect(migrateStore(empty)).rejects.toMatchObject({ code: 'WRONG_STORE' });
  expect(await entriesOf(empty)).toEqual([]);
});

describe('a store of version 1', () => {
  const chain: { number: number; changes: AccountChange[]; stateRoot: Hex }[] = JSON.parse(
    readFileSync('vectors/chain-poseidon2-edge.json', 'utf8'),
  ).blocks;

  test('is converted only if its state is to be kept, and goes on by the right rules', async () => {
    const store = lmdbStore({ path: copyOf('store-v1') });
    await expect(migrateStore(store)).rejects.toMatchObject({ code: 'WRONG_STORE' });
    await expect(migrateStore(store)).rejects.toThrow(/keepState/);
    await migrateStore(store, { keepState: true });
    const tree = await openStateTree({ store });
    expect(await tree.stateRoot(0)).toBe(chain[0]?.stateRoot);
    expect(await tree.stateRoot(1)).toBe(chain[1]?.stateRoot);
    // The block that takes code away: the root that the release before gave it is not the server's.
    expect(await tree.stateRoot(2)).not.toBe(chain[2]?.stateRoot);
    // Block 4 gives the account code again: from then on its leaf, and so the root, is the server's.
    for (const block of chain.slice(3)) {
      const { stateRoot } = await tree.applyBlock(block);
      expect(stateRoot === block.stateRoot, `block ${block.number}`).toBe(block.number > 3);
    }
    await tree.close();
  });
});
