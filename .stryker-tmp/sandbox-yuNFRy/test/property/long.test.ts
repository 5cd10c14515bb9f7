/** Thousands of random operations on large trees, held against the reference; ten thousand in `test:deep`. */
// @ts-nocheck

import { expect, test } from 'vitest';
import type { HashFamily, Hex } from '../../src/index.js';
import { createAccumulator, openStateTree } from '../../src/tree/index.js';
import { digits, hash } from '../support/reference.js';
import { ListedTree, type ReferenceChange, ReferenceState } from '../support/referenceState.js';
import { families, patience } from '../support/runs.js';

const operations = (family: HashFamily) => {
  if (process.env.DEEP) return 10_000;
  return family === 'mimc' ? 100 : 500;
};
const perBlock = 50;
const hex = (text: string): Hex => `0x${text}`;

/** Numbers below a limit, the same in every run: Lehmer's generator, of which the upper bits are taken. */
function numbers(): (limit: number) => number {
  let state = 20261121n;
  return (limit) => {
    state = (state * 0xda942042e4dd58b5n) % (1n << 128n);
    return Number((state >> 64n) % BigInt(limit));
  };
}

test.each(families)(
  'an accumulator of %s keeps to the reference',
  (family) => {
    const next = numbers();
    const tree = createAccumulator({ hash: family });
    const reference = new ListedTree(family);
    const present: string[] = [];
    const count = operations(family);
    for (let i = 1; i <= count; i++) {
      const value = digits(BigInt(next(1000)));
      const hValue = hash(family, value);
      const at = next(10) < 6 || present.length === 0 ? -1 : next(present.length);
      if (at < 0) {
        const hKey = hash(family, digits(BigInt(i)));
        present.push(hKey);
        tree.insert(hex(hKey), hex(hValue), hex(value));
        reference.put({ hKey, hValue, value });
      } else if (next(2) === 0) {
        const hKey = present[at] as string;
        tree.update(hex(hKey), hex(hValue), hex(value));
        reference.put({ hKey, hValue, value });
      } else {
        const [hKey] = present.splice(at, 1) as [string];
        tree.delete(hex(hKey));
        reference.remove(hKey);
      }
      if (i % perBlock !== 0) continue;
      expect(tree.root).toBe(hex(reference.root));
      for (const hKey of [present[next(present.length)] as string, hash(family, digits(1n, 64))]) {
        expect(tree.prove(hex(hKey))).toEqual(reference.prove(hKey, hKey));
      }
    }
  },
  patience,
);

test.each(families)(
  'a state of %s keeps to the reference',
  async (family) => {
    const next = numbers();
    const tree = await openStateTree({ hash: family });
    const reference = new ReferenceState(family);
    const count = operations(family);
    for (let number = 1; number * perBlock <= count; number++) {
      const changes = new Map<string, ReferenceChange>();
      for (let i = 0; i < perBlock; ) {
        const address = digits(BigInt(next(perBlock + count / 10) + 1), 20);
        if (changes.has(address)) continue;
        const kind = next(20);
        const storage = new Map<bigint, bigint>();
        for (let left = next(4); left > 0; left--) {
          storage.set(BigInt(next(30)), next(3) === 0 ? 0n : BigInt(next(1000)));
        }
        changes.set(
          address,
          kind === 0
            ? { address, account: null, storage: [] }
            : {
                address,
                account: { nonce: BigInt(next(100)), balance: BigInt(next(1_000_000)) },
                recreated: kind === 1,
                storage: [...storage],
              },
        );
        // One operation for the account and one for each slot.
        i += 1 + storage.size;
      }
      const { stateRoot } = await tree.applyBlock({
        number,
        changes: [...changes.values()].map(({ address, account, recreated = false, storage }) => ({
          address: hex(address),
          account: account && { nonce: account.nonce, balance: account.balance },
          recreated,
          storage: storage.map(([key, value]) => ({
            key: hex(digits(key)),
            value: hex(digits(value)),
          })),
        })),
      });
      expect(stateRoot).toBe(hex(reference.apply([...changes.values()])));
      for (const one of [...changes.keys()].slice(0, 2)) {
        const keys = [1n, 2n];
        const asked = keys.map((key) => hex(digits(key)));
        expect(await tree.getProof(hex(one), asked)).toEqual(reference.prove(one, keys));
      }
    }
  },
  patience,
);
