/** Snapshots: what is written is what is read, a file made from the page alone imports, and no other does. */
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/index.js';
import { lmdbStore } from '../../../../src/lmdb/index.js';
import {
  exportSnapshot,
  importSnapshot,
  memoryStore,
  openStateTree,
  type SnapshotChecks,
  type Store,
  verifySnapshot,
} from '../../../../src/tree/index.js';
import { addresses, changesOf, slots } from '../../../support/blocks.js';
import { blocks, changeOf, hex } from '../../../support/changes.js';
import { newFolder } from '../../../support/folder.js';
import { digits, hash } from '../../../support/reference.js';
import { accountsOf, plainAccount } from '../../../support/referenceSnapshot.js';
import { ReferenceState } from '../../../support/referenceState.js';
import { families } from '../../../support/runs.js';
import { lawBrokenBy } from '../../../support/snapshotReader.js';
import { contentOf, fileOf, type WrittenState } from '../../../support/snapshotWriter.js';
import { textsOf } from '../../../support/stores.js';

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

const hashOf = (number: number): Hex => `0x${digits(BigInt(number) + 1n)}`;

/** A store with a history: leaves that went, holes, accounts that were created again. */
async function grown(hash: (typeof families)[number], count: number) {
  const store = memoryStore();
  const tree = await openStateTree({ hash, store });
  for (let number = 1; number <= count; number++) {
    const changes = changesOf(number);
    await tree.applyBlock({ number, changes, hash: hashOf(number) });
    if (number === count - 3) await tree.finalize(number);
  }
  return { store, tree };
}

/**
 * Entries of a state without the blocks of their last changes, which a snapshot does not hold, and
 * without trees of accounts that are gone, which older blocks still need.
 */
async function stateOf(store: Store): Promise<string[]> {
  const lines = (await textsOf(store)).filter((line) => /^0x(4c|4f|50|54)/.test(line));
  const trees = new Set(['0'.repeat(12)]);
  for (const line of lines) {
    if (line.startsWith(`0x4c${'0'.repeat(12)}`)) trees.add(line.slice(16, 28));
  }
  return lines
    .filter((line) => trees.has(line.slice(4, 16)))
    .map((line) => line.replace(/ 0x.{12}/, ' 0x'));
}

describe.each(families)('a snapshot, %s', (hash) => {
  test('brings a state into another store, holes included', async () => {
    const { store, tree } = await grown(hash, 30);
    const stateRoot = await tree.stateRoot(30);
    const file = await bytesOf(exportSnapshot({ store, hash, block: 30, chainId: 59144 }));
    const claim = { hash, chainId: 59144, block: 30, blockHash: hashOf(30), stateRoot };
    const checks = { hash, stateRoot, block: 30, blockHash: hashOf(30), chainId: 59144 };
    expect(await verifySnapshot([file], checks)).toMatchObject(claim);
    const elsewhere = runInNewContext('new Uint8Array(given)', { given: [...file] });
    expect(await verifySnapshot([elsewhere], checks)).toMatchObject(claim);
    for (const other of [memoryStore(), lmdbStore({ path: newFolder() })]) {
      // In pieces of any size.
      const pieces = Array.from({ length: Math.ceil(file.length / 777) }, (_, i) =>
        file.subarray(777 * i, 777 * (i + 1)),
      );
      expect(await importSnapshot(pieces, { ...checks, store: other })).toMatchObject(claim);
      expect(await stateOf(other)).toEqual(await stateOf(store));
      const imported = await openStateTree({ hash, store: other });
      expect(await imported.newestBlock()).toBe(30);
      expect(await imported.finalBlock()).toBe(30);
      expect(await imported.blockNumber(hashOf(30))).toBe(30);
      for (const address of addresses) {
        expect(await imported.getProof(address, slots)).toEqual(
          await tree.getProof(address, slots),
        );
      }
      // The chain goes on alike, and the second snapshot is the first.
      expect(await bytesOf(exportSnapshot({ store: other, hash, chainId: 59144 }))).toEqual(file);
      const next = { number: 31, changes: changesOf(31) };
      const { stateRoot: after } = await imported.applyBlock(next);
      await imported.close();
      const copy = await openStateTree({ hash });
      for (let number = 1; number <= 31; number++) {
        await copy.applyBlock({ number, changes: changesOf(number) });
      }
      expect(after).toBe(await copy.stateRoot());
    }
  });

  test('can be of any block that is held; by default the newest final one', async () => {
    const { store, tree } = await grown(hash, 20);
    const final = await bytesOf(exportSnapshot({ store, hash }));
    expect(
      await verifySnapshot([final], { hash, stateRoot: await tree.stateRoot(17) }),
    ).toMatchObject({ block: 17 });
    for (const block of [17, 18, 19, 20]) {
      const file = await bytesOf(exportSnapshot({ store, hash, block }));
      const stateRoot = await tree.stateRoot(block);
      expect(await verifySnapshot([file], { hash, stateRoot })).toMatchObject({ block });
    }
    await expect(bytesOf(exportSnapshot({ store, hash, block: 3 }))).rejects.toMatchObject({
      code: 'BLOCK_MISSING',
    });
  });

  test('written from the page alone imports', async () => {
    for (const chain of fc.sample(blocks, { numRuns: 12, seed: 7 })) {
      const reference = new ReferenceState(hash);
      const store = memoryStore();
      const tree = await openStateTree({ hash, store });
      let root = '';
      for (const [i, changes] of chain.entries()) {
        root = reference.apply(changes);
        await tree.applyBlock({ number: i + 1, changes: changes.map(changeOf) });
      }
      const written: WrittenState = {
        family: hash === 'mimc' ? 1 : 2,
        chainId: 0,
        block: chain.length,
        blockHash: digits(0n),
        stateRoot: root,
        accounts: accountsOf(reference),
      };
      const file = fileOf(contentOf(written));
      const other = memoryStore();
      const checks = { hash, stateRoot: hex(root) };
      await importSnapshot([file], { ...checks, store: other });
      expect(await stateOf(other)).toEqual(await stateOf(store));
      expect(await bytesOf(exportSnapshot({ store, hash, block: chain.length }))).toEqual(file);
    }
  });
});

test('the chains of the real server come through', async () => {
  for (const name of ['chain-poseidon2-1', 'chain-mimc-1', 'chain-poseidon2-edge']) {
    const { blocks: chain } = JSON.parse(readFileSync(`vectors/${name}.json`, 'utf8'));
    const hash = name.includes('mimc') ? 'mimc' : 'poseidon2';
    const store = memoryStore();
    const tree = await openStateTree({ hash, store });
    for (const { number, changes, stateRoot } of chain) {
      const read = changes.map(
        ({ account, ...change }: { account: { balance: string } | null }) => ({
          ...change,
          account: account && {
            ...account,
            nonce: BigInt((account as never as { nonce: string }).nonce),
            balance: BigInt(account.balance),
          },
        }),
      );
      expect((await tree.applyBlock({ number, changes: read })).stateRoot).toBe(stateRoot);
    }
    const { number, stateRoot } = chain.at(-1);
    const other = memoryStore();
    const file = exportSnapshot({ store, hash, block: number });
    await importSnapshot(file, { store: other, hash, stateRoot });
    expect(await stateOf(other)).toEqual(await stateOf(store));
  }
});

describe('a file is refused, and the store stays as it was', async () => {
  const { store, tree } = await grown('poseidon2', 5);
  const stateRoot = await tree.stateRoot(5);
  const file = await bytesOf(exportSnapshot({ store, block: 5, chainId: 7 }));
  const content = file.subarray(0, -4);

  /** How an import ends; the store must be empty afterwards, and take the right file. */
  async function outcome(bytes: Uint8Array, checks: Partial<SnapshotChecks> = {}) {
    const other = memoryStore();
    await openStateTree({ store: other, hash: checks.hash ?? 'poseidon2' });
    const before = await textsOf(other);
    const all = { stateRoot, ...checks };
    const fresh = memoryStore();
    const code = await importSnapshot([bytes], { ...all, store: other }).then(
      () => 'imported',
      (error) => error.code,
    );
    if (code !== 'imported') expect(await textsOf(other)).toEqual(before);
    // One that nothing was written to has no mark either.
    await importSnapshot([bytes], { ...all, store: fresh }).catch(() => {});
    if (code !== 'imported') expect(await textsOf(fresh)).toEqual([]);
    expect(
      await verifySnapshot([bytes], all).then(
        () => 'imported',
        (error) => error.code,
      ),
    ).toBe(code);
    return code;
  }

  test('if it is of another block, root, chain or family than given', async () => {
    expect(await outcome(file)).toBe('imported');
    expect(await outcome(file, { block: 5, blockHash: hashOf(5), chainId: 7 })).toBe('imported');
    const wrong: Partial<SnapshotChecks>[] = [
      { block: 11 },
      { blockHash: hashOf(11) },
      { chainId: 8 },
      { hash: 'mimc' },
      { stateRoot: hashOf(1) },
      { stateRoot: () => hashOf(1) },
    ];
    for (const checks of wrong) expect(await outcome(file, checks)).toBe('ROOT_MISMATCH');
    await expect(verifySnapshot([file], { stateRoot: '0x12' })).rejects.toThrow(RangeError);
    const asked = await verifySnapshot([file], {
      stateRoot: async ({ block }) => tree.stateRoot(block),
    });
    expect(asked.block).toBe(5);
  });

  test('after any flip of a byte, or a cut', async () => {
    for (let at = 0; at < file.length; at += 1) {
      const flipped = Buffer.from(file);
      flipped[at] = (flipped[at] as number) ^ (1 << (at % 8));
      const code = await verifySnapshot([flipped], { stateRoot }).catch((error) => error.code);
      expect(code).toBe('BAD_SNAPSHOT');
    }
    for (let length = 0; length < file.length; length += 13) {
      expect(await outcome(file.subarray(0, length))).toBe('BAD_SNAPSHOT');
    }
    expect(await outcome(Buffer.concat([file, Buffer.of(0)]))).toBe('BAD_SNAPSHOT');
  });

  test('after any change whose checksum is right, but for what is only claimed', async () => {
    const outcomes = new Map<string, number>();
    expect(lawBrokenBy(content, hash('poseidon2', digits(0n)))).toBeUndefined();
    for (let at = 0; at < content.length; at++) {
      const changed = Buffer.from(content);
      changed[at] = (changed[at] as number) ^ (1 << (at % 7));
      const code = await verifySnapshot([fileOf(changed)], { stateRoot }).then(
        () => 'verified',
        (error) => error.code,
      );
      // Chain, number and hash of the block are the file's claim. Any other file of the right form is one of another
      // state: the root is compared before the order of the lists is checked.
      const isClaim = at >= 10 && at < 56;
      const lawful = isClaim ? 'verified' : 'ROOT_MISMATCH';
      const law = lawBrokenBy(changed, hash('poseidon2', digits(0n)));
      expect(code, `byte ${at}: ${law}`).toBe(law === undefined ? lawful : 'BAD_SNAPSHOT');
      outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
    }
    expect([...outcomes.keys()].sort()).toEqual(['BAD_SNAPSHOT', 'ROOT_MISMATCH', 'verified']);
  });

  test('if it never ends, or promises what it does not hold', async () => {
    async function* endless() {
      yield content;
      for (;;) yield new Uint8Array(2 ** 16);
    }
    await expect(verifySnapshot(endless(), { stateRoot })).rejects.toMatchObject({
      code: 'BAD_SNAPSHOT',
    });
    const huge = Buffer.from(content);
    huge.fill(0xff, 100, 106);
    expect(await outcome(fileOf(huge))).toBe('BAD_SNAPSHOT');
  });

  test('if the store holds a state, or is only read', async () => {
    await expect(importSnapshot([file], { store, stateRoot })).rejects.toMatchObject({
      code: 'BLOCK_ORDER',
    });
  });
});

describe('lists that a right root would hide', () => {
  /** A tree of two accounts, with the links given. */
  const stateWith = (
    links: [prev: number, next: number][],
    ends: [first: number, last: number],
  ) => {
    const hKeys = ['11', '22'].map((byte) => byte.padStart(64, '0'));
    return {
      family: 2,
      chainId: 0,
      block: 1,
      blockHash: digits(0n),
      stateRoot: digits(0n),
      accounts: {
        nextFreeNode: 4,
        first: ends[0],
        last: ends[1],
        leaves: links.map(([prev, next], i) => ({
          index: i + 2,
          prev,
          next,
          hKey: hKeys[i] as string,
          ...plainAccount,
        })),
      },
    };
  };
  /** The file with the root that its leaves come to, which a first try tells. */
  async function verify(state: WrittenState): Promise<string> {
    const fail = await verifySnapshot([fileOf(contentOf(state))], { stateRoot: hex(digits(0n)) })
      .then(() => '')
      .catch((error: Error) => error.message);
    const root = /0x([0-9a-f]{64}), not/.exec(fail)?.[1] as string;
    const file = fileOf(contentOf({ ...state, stateRoot: root }));
    return verifySnapshot([file], { stateRoot: hex(root) }).then(
      () => 'verified',
      (error) => error.code,
    );
  }

  test('are refused; the one in order is not', async () => {
    expect(
      await verify(
        stateWith(
          [
            [0, 3],
            [2, 1],
          ],
          [2, 3],
        ),
      ),
    ).toBe('verified');
    const wrong: Parameters<typeof stateWith>[] = [
      // The other way round, a leaf left out, a circle, ends that are not.
      [
        [
          [3, 1],
          [0, 2],
        ],
        [3, 2],
      ],
      [
        [
          [0, 1],
          [2, 1],
        ],
        [2, 2],
      ],
      [
        [
          [0, 3],
          [2, 2],
        ],
        [2, 3],
      ],
      [
        [
          [0, 3],
          [2, 1],
        ],
        [3, 3],
      ],
      [
        [
          [0, 3],
          [2, 1],
        ],
        [2, 2],
      ],
      [
        [
          [1, 3],
          [2, 1],
        ],
        [2, 3],
      ],
      [
        [
          [0, 3],
          [0, 1],
        ],
        [2, 3],
      ],
    ];
    for (const one of wrong) expect(await verify(stateWith(...one))).toBe('BAD_SNAPSHOT');
  });
});
