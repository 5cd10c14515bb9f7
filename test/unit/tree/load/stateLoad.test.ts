/** A first state that is loaded in bulk is the one that a block would have made, to the byte. */
import { describe, expect, test } from 'vitest';
import { lmdbStore } from '../../../../src/lmdb/index.js';
import {
  type AccountChange,
  type BulkProgress,
  memoryStore,
  openStateTree,
  type Store,
} from '../../../../src/tree/index.js';
import { newFolder } from '../../../support/folder.js';
import { families } from '../../../support/runs.js';
import { textsOf } from '../../../support/stores.js';

const hex = (value: number, width: number) =>
  `0x${value.toString(16).padStart(2 * width, '0')}` as const;

/** Accounts with code, without, with few slots and with more than fill a pack. */
const accounts = (count: number): AccountChange[] =>
  Array.from({ length: count }, (_, i) => ({
    address: hex(7919 * i + 1, 20),
    account: {
      nonce: i % 5,
      balance: BigInt(i) * 10n ** 15n,
      ...(i % 4 === 0 ? { code: hex(i + 1, 5) } : {}),
    },
    ...(i % 3 === 0
      ? {
          storage: Array.from({ length: i === 9 ? 300 : i % 20 }, (_, j) => ({
            key: hex(3 * j + 1, 32),
            // Every seventh is zero: no slot.
            value: hex((i + j) % 7, 32),
          })),
        }
      : {}),
  }));

const stores: [string, () => Store][] = [
  ['memory', memoryStore],
  ['LMDB', () => lmdbStore({ path: newFolder() })],
];

const words = { hash: hex(5, 32), headerRoot: hex(6, 32) };

describe.each(families)('a first state, %s', (hash) => {
  test.each([0, 1, 14, 15, 300])('of %i accounts has the entries of a block', async (count) => {
    const all = accounts(count);
    const byBlock = memoryStore();
    const tree = await openStateTree({ hash, store: byBlock });
    const { stateRoot } = await tree.applyBlock({ number: 7, changes: all, ...words });
    await tree.finalize(7);
    const expected = await textsOf(byBlock);
    for (const [, open] of stores) {
      const store = open();
      const loaded = await openStateTree({ hash, store });
      const load = await loaded.openLoad();
      const backwards = [...all].reverse();
      await load.add(backwards.slice(0, 10));
      await load.add(backwards.slice(10));
      expect(await load.finish({ number: 7, ...words, stateRoot })).toEqual({
        number: 7,
        stateRoot,
      });
      await load.close();
      expect(await textsOf(store)).toEqual(expected);
      for (const { address, storage = [] } of all.slice(0, 10)) {
        const keys = storage.slice(0, 3).map(({ key }) => key);
        expect(await loaded.getProof(address, keys)).toEqual(await tree.getProof(address, keys));
      }
      await loaded.close();
    }
  });
});

describe('a load is refused', () => {
  const [first, second] = accounts(2) as [AccountChange, AccountChange];

  test('with another root than expected, and nothing is written', async () => {
    const store = memoryStore();
    const tree = await openStateTree({ store });
    const before = await textsOf(store);
    const load = await tree.openLoad();
    await load.add([first]);
    await expect(load.finish({ number: 1, stateRoot: hex(1, 32) })).rejects.toMatchObject({
      code: 'ROOT_MISMATCH',
    });
    expect(await textsOf(store)).toEqual(before);
    // The tree is as good as new.
    const again = await tree.openLoad();
    await again.add([first, second]);
    await again.finish({ number: 1 });
    await expect((await tree.openLoad()).finish({ number: 2 })).rejects.toMatchObject({
      code: 'BLOCK_ORDER',
    });
  });

  test('with accounts that no first state has, or one twice', async () => {
    const tree = await openStateTree();
    const load = await tree.openLoad();
    const { address } = first;
    await expect(load.add([{ address, account: null }])).rejects.toThrow(RangeError);
    await expect(load.add([{ ...first, recreated: true }])).rejects.toThrow(address);
    await expect(load.add([{ ...first, before: { nonce: 1, balance: 1 } }])).rejects.toThrow(
      RangeError,
    );
    await expect(load.add([{ address: '0x12', account: null }] as never)).rejects.toThrow(
      /^"accounts" expected accounts of a first state, and 0x12 is/,
    );
    const short = load.add([{ ...first, address: '0x12' }]);
    await expect(short).rejects.toThrow(RangeError);
    await expect(short).rejects.toThrow(/address" expected 0x and 40 hex digits/);
    await load.add([first]);
    await load.add([first]);
    await expect(load.finish({ number: 1 })).rejects.toThrow(`${address} twice`);
  });

  test('once it is aborted; what it has written is no state, and is cleared', async () => {
    const store = memoryStore();
    const tree = await openStateTree({ store });
    const marked = await textsOf(store);
    const load = await tree.openLoad();
    await load.add(accounts(3000));
    const seen = new Set<BulkProgress['stage']>();
    const aborted = new AbortController();
    const onProgress = ({ stage }: BulkProgress) => {
      seen.add(stage);
      if (stage === 'write') aborted.abort(new Error('enough'));
    };
    // The last turn comes after the last entries, and before the store is a state.
    await expect(
      load.finish({ number: 1 }, { onProgress, signal: aborted.signal }),
    ).rejects.toThrow('enough');
    expect([...seen]).toEqual(['build', 'write']);
    await expect(tree.newestBlock()).rejects.toMatchObject({ code: 'WRONG_STORE' });
    await expect(tree.applyBlock({ number: 2, changes: [] })).rejects.toMatchObject({
      code: 'WRONG_STORE',
    });
    const readOnly: Store = {
      ...store,
      write: () => Promise.reject(Object.assign(new Error(), { code: 'READ_ONLY' })),
    };
    await expect(openStateTree({ store: readOnly })).rejects.toMatchObject({ code: 'READ_ONLY' });
    const again = await openStateTree({ store });
    expect(await textsOf(store)).toEqual(marked);
    expect(await again.newestBlock()).toBeUndefined();
  });
});
