/** The sample of a genesis that is compared with a node that knows no root. */
import { expect, test } from 'vitest';
import { GenesisSample } from '../../../../src/follow/genesis/genesis.js';
import type { AccountChange, Hex } from '../../../../src/tree/index.js';

const hex = (value: number, bytes: number): Hex =>
  `0x${value.toString(16).padStart(2 * bytes, '0')}`;

const changesOf = (from: number, to: number, slots = 0): AccountChange[] =>
  Array.from({ length: to - from }, (_, i) => ({
    address: hex(from + i, 20),
    account: { nonce: 0n, balance: 1n },
    storage: Array.from({ length: slots }, (_, slot) => ({
      key: hex(slot, 32),
      value: hex(1, 32),
    })),
  }));

const indices = ({ accounts }: GenesisSample) => accounts.map(({ address }) => Number(address));

test('few accounts are all in the sample', () => {
  const sample = new GenesisSample();
  expect(indices(sample)).toEqual([]);
  sample.add(changesOf(0, 3));
  expect(indices(sample)).toEqual([0, 1, 2]);
});

test('of many accounts that come in parts, every sixteenth and the last are', () => {
  const sample = new GenesisSample();
  for (let from = 0; from < 1000; from += 50) sample.add(changesOf(from, from + 50));
  expect(sample.count).toBe(1000);
  expect(indices(sample)).toEqual([...Array.from({ length: 63 }, (_, i) => 16 * i), 999]);
});

test('of many slots four are, with the first and the last', () => {
  const sample = new GenesisSample();
  sample.add(changesOf(0, 1, 10));
  const [account] = sample.accounts;
  expect(account?.storage?.map(({ key }) => Number(key))).toEqual([0, 3, 6, 9]);
});
