/** The root of a whole Merkle-Patricia trie, against @ethereumjs/mpt. */
import { genesisMPTStateRoot, MerklePatriciaTrie } from '@ethereumjs/mpt';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GenesisTrie } from '../../../src/follow/genesis/genesisTrie.js';
import { TrieBuilder } from '../../../src/mpt/root.js';
import type { AccountChange, BulkWork, Hex } from '../../../src/tree/index.js';
import { memoryScratch } from '../../../src/tree/store/scratch.js';
import { toHex } from '../../support/hex.js';
import { runsOf } from '../../support/runs.js';
import { randomOf, randomTrie } from '../../support/trie.js';

async function genesisRoot(changes: readonly AccountChange[], work?: BulkWork): Promise<Hex> {
  const trie = new GenesisTrie(memoryScratch());
  await trie.add(changes);
  return trie.root(work);
}

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const hex = (width: number): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength: width, maxLength: width }).map((bytes) => toHex(bytes) as Hex);

/** Small and large, with and without leading zeros. */
const integer = (bits: number) =>
  fc.oneof(fc.bigInt(0n, 200n), fc.bigInt(0n, (1n << BigInt(bits)) - 1n));

const account: fc.Arbitrary<AccountChange> = fc.record({
  address: hex(20),
  account: fc.record({
    nonce: integer(64),
    balance: integer(256),
    code: fc.uint8Array({ maxLength: 60 }).map((bytes) => toHex(bytes) as Hex),
  }),
  storage: fc.uniqueArray(
    fc.record({ key: fc.oneof(hex(32), fc.bigInt(0n, 300n).map(word)), value: hex(32) }),
    { selector: ({ key }) => key, maxLength: 20 },
  ),
});

/** The same genesis as that package takes it. */
async function byPackage(changes: readonly AccountChange[]): Promise<string> {
  const state = Object.fromEntries(
    changes.map(({ address, account, storage = [] }) => [
      address,
      [
        `0x${BigInt(account?.balance ?? 0).toString(16)}`,
        account?.code ?? '0x',
        storage.map(({ key, value }) => [key, value]),
        `0x${BigInt(account?.nonce ?? 0).toString(16)}`,
      ],
    ]),
  );
  return toHex(await genesisMPTStateRoot(state as never));
}

/** The loader leaves out slots of zero. */
const withoutZeros = (changes: readonly AccountChange[]) =>
  changes.map((change) => ({
    ...change,
    storage: (change.storage ?? []).filter(({ value }) => BigInt(value) !== 0n),
  }));

describe('the root of an allocation', () => {
  test("is the other implementation's", async () => {
    const genesis = fc.uniqueArray(account, { selector: ({ address }) => address, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(genesis, async (changes) => {
        const kept = withoutZeros(changes);
        expect(await genesisRoot(kept)).toBe(await byPackage(kept));
      }),
      runsOf(),
    );
  });

  test('of many accounts and slots is, and others have their turn meanwhile', async () => {
    const storage = Array.from({ length: 700 }, (_, i) => ({
      key: word(BigInt(i)),
      value: word(BigInt(i + 1)),
    }));
    const changes = Array.from({ length: 4500 }, (_, i) => ({
      address: `0x${i.toString(16).padStart(40, '0')}` as Hex,
      account: { nonce: BigInt(i % 3), balance: BigInt(i) ** 5n },
      ...(i === 7 ? { storage } : {}),
    }));
    let turns = 0;
    const timer = setInterval(() => {
      turns++;
    }, 0);
    const root = await genesisRoot(changes);
    clearInterval(timer);
    expect(root).toBe(await byPackage(changes));
    expect(turns).toBeGreaterThan(2);
  });

  test('that is empty is that of an empty string', async () => {
    // keccak-256 of 0x80, as Ethereum's headers have it.
    expect(await genesisRoot([])).toBe(
      '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    );
  });

  test('refuses a key that stands twice', () => {
    const builder = new TrieBuilder();
    const key = new Uint8Array(32).fill(7);
    builder.add(key, Uint8Array.of(1));
    expect(() => builder.add(key, Uint8Array.of(2))).toThrow(
      new RangeError('a key of the trie stands twice'),
    );
  });

  test('ends with the signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    const changes = [{ address: `0x${'11'.repeat(20)}` as Hex, account: { nonce: 0, balance: 1 } }];
    await expect(genesisRoot(changes, { signal })).rejects.toThrow('enough');
  });
});

describe('a trie of keys as they are', () => {
  /** The root by the builder, which is handed one buffer again and again, and by that package. */
  async function roots(entries: readonly (readonly [Uint8Array, Uint8Array])[]) {
    const trie = new MerklePatriciaTrie();
    const builder = new TrieBuilder();
    const key = new Uint8Array(32);
    for (const [ownKey, value] of [...entries].sort(([a], [b]) => Buffer.compare(a, b))) {
      await trie.put(ownKey, value);
      const given = value.slice();
      key.set(ownKey);
      builder.add(key, given);
      given.fill(9);
    }
    key.fill(9);
    return { own: toHex(builder.root()), other: toHex(trie.root()) };
  }

  test('that share many nibbles, with short values', async () => {
    for (let seed = 1; seed <= 40; seed++) {
      const { trie, keys } = await randomTrie(randomOf(seed));
      const entries: [Uint8Array, Uint8Array][] = [];
      for (const key of keys) entries.push([key, (await trie.get(key)) as Uint8Array]);
      const { own, other } = await roots(entries);
      expect(own, `seed ${seed}`).toBe(other);
    }
  });

  // A leaf of one nibble has three bytes besides its value: one of 32 bytes stands by its hash.
  test.each([27, 28, 29, 30])('in which a leaf has %i bytes and three', async (width) => {
    const entries = [0x11, 0x12].map((end) => {
      const key = new Uint8Array(32).fill(7);
      key[31] = end;
      return [key, new Uint8Array(width).fill(end)] as const;
    });
    const { own, other } = await roots(entries);
    expect(own).toBe(other);
  });
});
