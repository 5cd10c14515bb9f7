/** The work that a proof at an older block takes: keys that came and went since lie in the way. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/index.js';
import { lmdbStore } from '../../../../src/lmdb/index.js';
import {
  memoryStore,
  openStateTree,
  type StateTree,
  type Store,
} from '../../../../src/tree/index.js';
import { randomOf } from '../../../support/blocks.js';
import { newFolder } from '../../../support/folder.js';
import { digits } from '../../../support/reference.js';
import { ReferenceState } from '../../../support/referenceState.js';
import { patience } from '../../../support/runs.js';
import { counted } from '../../../support/stores.js';

const home = newFolder();

const word = (value: number): Hex => `0x${digits(BigInt(value))}`;
const contract: Hex = `0x${digits(7n, 20)}`;
const account = { nonce: 1n, balance: 1n };
const write = (keys: readonly number[], value: number) => [
  {
    address: contract,
    account,
    storage: keys.map((key) => ({ key: word(key), value: word(value) })),
  },
];
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

/**
 * A contract out of which all slots but one had gone by block 2, and into which as many came with block 3; half of those
 * went with block 4. At block 2, they all lie before the place of any other slot.
 */
async function attacked(store: Store, slots = 1000): Promise<StateTree> {
  const tree = await openStateTree({ store });
  await tree.applyBlock({ number: 1, changes: write(numbers(0, slots), 5) });
  await tree.applyBlock({ number: 2, changes: write(numbers(1, slots - 1), 0) });
  await tree.applyBlock({ number: 3, changes: write(numbers(slots, slots), 5) });
  await tree.applyBlock({ number: 4, changes: write(numbers(slots, slots / 2), 0) });
  return tree;
}

const absent = numbers(1_000_000, 200).map(word);

test(
  'at older blocks a large tree gives the answers, byte for byte, of a state built another way',
  async () => {
    const trees = [
      await openStateTree({ store: memoryStore() }),
      await openStateTree({ store: lmdbStore({ path: join(home, 'state') }) }),
    ];
    const reference = new ReferenceState('poseidon2');
    const random = randomOf(3);
    const asked = numbers(0, 40);
    const expected: string[] = [];
    for (let number = 0; number < 6; number++) {
      // From few keys to many and back to few: they come, go and come again.
      const touched = [...new Set(numbers(0, 60).map(() => random(160)))];
      const values = touched.map(() => (random(number === 5 ? 8 : 2) === 0 ? 1 + random(9) : 0));
      const storage = touched.map((key, i) => [BigInt(key), BigInt(values[i] as number)] as const);
      reference.apply([
        { address: digits(7n, 20), account, storage: storage.map(([k, v]) => [k, v]) },
      ]);
      expected.push(JSON.stringify(reference.prove(digits(7n, 20), asked.map(BigInt))));
      const changes = [
        {
          address: contract,
          account,
          storage: touched.map((key, i) => ({ key: word(key), value: word(values[i] as number) })),
        },
      ];
      for (const tree of trees) await tree.applyBlock({ number, changes });
    }
    for (const tree of trees) {
      for (const [number, proof] of expected.entries()) {
        const result = await tree.getProof(contract, asked.map(word), number);
        expect(JSON.stringify(result)).toBe(proof);
      }
      await tree.close();
    }
  },
  patience,
);

describe.each([
  ['in memory', () => memoryStore()],
  ['in LMDB', () => lmdbStore({ path: join(home, `attacked-${Math.random()}`) })],
])('a tree %s through which many keys went', (_, open) => {
  test(
    'reads them once, however many slots are asked for, and gives the answer as before',
    async () => {
      const { store, seen } = counted(open());
      const calm = await openStateTree();
      await calm.applyBlock({ number: 1, changes: write(numbers(0, 1000), 5) });
      await calm.applyBlock({ number: 2, changes: write(numbers(1, 999), 0) });
      const expected = JSON.stringify(await calm.getProof(contract, absent));
      const tree = await attacked(store);
      expect(JSON.stringify(await tree.getProof(contract, absent, 2))).toBe(expected);
      const few = await calls(tree, absent.slice(0, 20));
      const many = await calls(tree, absent);
      // Of 500 keys that stay and 2,500 that were overwritten, each is read once or twice; then come the paths.
      expect(few.reads).toBeLessThan(2 * 3000 + 20 * 100);
      expect(many.reads).toBeLessThan(2 * 3000 + 200 * 100);
      await tree.close();

      async function calls(tree: StateTree, keys: Hex[]) {
        Object.assign(seen, { calls: 0, reads: 0 });
        await tree.getProof(contract, keys, 2);
        return { ...seen };
      }
    },
    patience,
  );

  test(
    'lets timers and others have their turn',
    async () => {
      const tree = await attacked(open());
      let turns = 0;
      let isOver = false;
      const turn = () => {
        turns++;
        if (!isOver) setImmediate(turn);
      };
      for (const block of [2, 4]) {
        turns = 0;
        isOver = false;
        setImmediate(turn);
        await tree.getProof(contract, absent, block);
        isOver = true;
        // 200 slots, eight at a time, are proved and then verified.
        expect(turns).toBeGreaterThanOrEqual(40);
      }
      await tree.close();
    },
    patience,
  );

  test(
    'stops at the bound on reads, and with what a pause throws; nothing goes on behind',
    async () => {
      const { store, seen } = counted(open());
      const tree = await attacked(store);
      for (const maxReads of [1, 10, 1000]) {
        const attempt = tree.getProof(contract, absent, 2, { maxReads });
        await expect(attempt).rejects.toThrow(
          /more than 10{0,3} reads.*fewer storage keys.*newer block.*\(maxReads\) \(TOO_MANY_READS\)/,
        );
      }
      await tree.getProof(contract, absent, 2, { maxReads: 1_000_000 });
      for (const last of [0, 1, 5, 20]) {
        let pauses = 0;
        const pause = async () => {
          if (pauses++ === last) throw new Error('time is up');
        };
        // Other slots each time: what was verified is not verified again.
        const keys = numbers(2_000_000 + 1000 * last, 200).map(word);
        await expect(tree.getProof(contract, keys, 2, { pause })).rejects.toThrow('time is up');
        expect(seen.held).toBe(0);
        const { calls } = seen;
        await new Promise((done) => setTimeout(done, 20));
        expect(seen.calls).toBe(calls);
      }
      for (const maxReads of [0, -1, Number.NaN]) {
        const attempt = tree.getProof(contract, absent, 2, { maxReads });
        await expect(attempt).rejects.toThrow(/"maxReads" expected/);
      }
      await tree.close();
    },
    patience,
  );
});
