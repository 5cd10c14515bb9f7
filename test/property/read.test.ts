/** What a tree reads without a proof is what its proofs show. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type HashFamily, type Hex, verifyProof } from '../../src/index.js';
import { memoryStore, openStateTree } from '../../src/tree/index.js';
import { leafKey } from '../../src/tree/layout/layout.js';
import { addresses, blocks, changeOf, hex, keys } from '../support/changes.js';
import { digits } from '../support/reference.js';
import { families, patience, runsOf } from '../support/runs.js';

/** Accounts that come and go, and one that never was. */
const asked = [...addresses, digits(99n, 20)].map(hex);

describe.each(families)('a read of %s', (family: HashFamily) => {
  test(
    'is what verifyProof says of the answer, at every block held, and at none',
    () =>
      fc.assert(
        fc.asyncProperty(blocks, async (run) => {
          const tree = await openStateTree({ hash: family });
          const compare = async (block?: number) => {
            const stateRoot = await tree.stateRoot(block);
            for (const address of asked) {
              const claim = { stateRoot, address, storageKeys: keys, hash: family };
              const { account, storage } = verifyProof(
                await tree.getProof(address, keys, block),
                claim,
              );
              expect(await tree.read(address, keys, block)).toEqual({ account, storage });
              expect(await tree.read(address, undefined, block)).toEqual({ account, storage: [] });
            }
          };
          await compare();
          for (const [number, changes] of run.entries()) {
            await tree.applyBlock({ number, changes: changes.map(changeOf) });
          }
          for (const block of [undefined, ...run.keys()]) await compare(block);
        }),
        { numRuns: Math.ceil(runsOf(family).numRuns / 3) },
      ),
    patience,
  );
});

describe('a read', () => {
  const address: Hex = `0x${digits(1n, 20)}`;
  const key: Hex = `0x${digits(1n)}`;

  test('gives deleted slots as zero, at the block that deleted them and not before', async () => {
    const tree = await openStateTree();
    const account = { nonce: 1, balance: 2 };
    const value: Hex = `0x${digits(7n)}`;
    await tree.applyBlock({
      number: 1,
      changes: [{ address, account, storage: [{ key, value }] }],
    });
    const gone = { key, value: `0x${digits(0n)}` as Hex };
    await tree.applyBlock({ number: 2, changes: [{ address, account, storage: [gone] }] });
    await tree.applyBlock({ number: 3, changes: [{ address, account: null }] });
    const read = async (block: number) => (await tree.read(address, [key], block)).storage;
    expect(await read(1)).toEqual([{ key, value, exists: true }]);
    expect(await read(2)).toEqual([{ ...gone, exists: false }]);
    expect(await read(3)).toEqual([{ ...gone, exists: false }]);
    expect((await tree.read(address, [], 2)).account).toMatchObject({ nonce: 1n, balance: 2n });
    expect((await tree.read(address, [], 3)).account).toBe(null);
  });

  const high = { toString: () => key };
  const wrong: [string, unknown[], 'TypeError' | 'RangeError' | 'TreeError'][] = [
    ['a short address', ['0x12'], 'RangeError'],
    ['an invalid address', [7], 'TypeError'],
    ['keys that are no array', [address, key], 'TypeError'],
    ['a short key', [address, [key, '0x12']], 'RangeError'],
    ['a key that is an object', [address, [high]], 'TypeError'],
    ['a hole', [address, [key, , key]], 'TypeError'],
    ['too many keys', [address, { length: 20_000 }], 'TypeError'],
    ['an array of too many keys', [address, new Array(16_385).fill(key)], 'RangeError'],
    ['a block below zero', [address, [], -1], 'RangeError'],
    ['half a block', [address, [], 0.5], 'RangeError'],
    ['a block that is not held', [address, [], 9], 'TreeError'],
    // Whatever is no block number is out of the range of one, of any type.
    ['a block in text', [address, [], '0x1'], 'RangeError'],
  ];
  test.each(wrong)('refuses %s as getProof does', async (_, args, type) => {
    const tree = await openStateTree();
    await tree.applyBlock({ number: 1, changes: [] });
    const failureOf = (call: (...args: never[]) => Promise<unknown>) =>
      call(...(args as never[])).then(
        () => 'none',
        ({ name, message }: Error) => `${name} ${message}`,
      );
    const expected = await failureOf(tree.getProof);
    expect(expected.split(' ')[0]).toBe(type);
    expect(await failureOf(tree.read)).toBe(expected);
  });

  test('reads the keys that were asked, whatever becomes of their array', async () => {
    const tree = await openStateTree();
    const keys = [key];
    const read = tree.read(address, keys);
    keys[0] = `0x${digits(2n)}`;
    expect((await read).storage.map((slot) => slot.key)).toEqual([key]);
  });

  test('cannot be changed by its reader', async () => {
    const tree = await openStateTree();
    await tree.applyBlock({ number: 1, changes: [{ address, account: { nonce: 1, balance: 2 } }] });
    const values = await tree.read(address, [key]);
    for (const part of [values, values.account, values.storage, values.storage[0]]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  test('of a store that lost a leaf says so', async () => {
    const store = memoryStore();
    const tree = await openStateTree({ store });
    await tree.applyBlock({ number: 1, changes: [{ address, account: { nonce: 1, balance: 2 } }] });
    await store.write({ puts: [], deletes: [leafKey(0, 2)] });
    await expect(tree.read(address)).rejects.toMatchObject({ code: 'DAMAGED' });
  });
});
