/** A state tree keeps each block's own hash beside its root. */
import { describe, expect, test } from 'vitest';
import { type Hex, memoryStore, openStateTree } from '../../../src/tree/index.js';
import { rangeOf } from '../../support/stores.js';

const hashOf = (byte: string): Hex => `0x${byte.repeat(32)}`;
const changesOf = (nonce: number) => [
  { address: `0x${'11'.repeat(20)}` as Hex, account: { nonce, balance: 1 } },
];

test('a hash is kept with its block, over a restart, and changes no root', async () => {
  const store = { ...memoryStore(), close: async () => {} };
  const first = await openStateTree({ store });
  const bare = await openStateTree();
  for (const number of [0, 1, 2]) {
    const changes = changesOf(number);
    const hash = hashOf(`a${number}`);
    const [with_, without] = await Promise.all([
      first.applyBlock(number === 1 ? { number, changes } : { number, changes, hash }),
      bare.applyBlock({ number, changes }),
    ]);
    expect(with_).toEqual(without);
  }
  await first.close();

  const tree = await openStateTree({ store });
  expect(await tree.blockHash(0)).toBe(hashOf('a0'));
  expect(await tree.blockHash(1)).toBeUndefined();
  expect(await tree.blockHash(2n)).toBe(hashOf('a2'));
  expect(await tree.stateRoot(2)).toBe(await bare.stateRoot(2));
  expect(await tree.stateRoot(1)).toBe(await bare.stateRoot(1));
});

test('a hash goes with its block, and a block applied in its place has its own', async () => {
  const tree = await openStateTree();
  await tree.applyBlock({ number: 1, changes: changesOf(1), hash: hashOf('01') });
  await tree.applyBlock({ number: 2, changes: changesOf(2), hash: hashOf('02') });
  await tree.revert(1);
  await expect(tree.blockHash(2)).rejects.toMatchObject({ code: 'BLOCK_MISSING' });
  await tree.applyBlock({ number: 2, changes: changesOf(3), hash: hashOf('22') });
  expect(await tree.blockHash(2)).toBe(hashOf('22'));
  await tree.finalize(2);
  expect(await tree.blockHash(2)).toBe(hashOf('22'));
  await expect(tree.blockHash(1)).rejects.toMatchObject({
    name: 'TreeError',
    code: 'BLOCK_MISSING',
  });
});

test('a wrong hash is refused, and changes nothing', async () => {
  const tree = await openStateTree();
  for (const hash of ['0x', hashOf('01').slice(0, -2), `${hashOf('01')}00`, 7, null]) {
    const block = { number: 1, changes: changesOf(1), hash: hash as Hex };
    await expect(tree.applyBlock(block)).rejects.toThrow(/"hash"/);
  }
  expect(await tree.newestBlock()).toBeUndefined();
});

describe('a block is found by its hash', () => {
  const applied = async (store = memoryStore(), keepFinal = 3) => {
    const tree = await openStateTree({ store, keepFinal });
    for (let number = 1; number <= 9; number++) {
      await tree.applyBlock({ number, changes: changesOf(number), hash: hashOf(`0${number}`) });
    }
    return tree;
  };

  test('as long as it is held, and up to the height asked', async () => {
    const tree = await applied();
    for (const number of [1, 5, 9]) {
      expect(await tree.blockNumber(hashOf(`0${number}`))).toBe(number);
      expect(await tree.blockNumber(hashOf(`0${number}`), 5)).toBe(number > 5 ? undefined : number);
    }
    expect(await tree.blockNumber(hashOf('aa'))).toBeUndefined();
    await expect(tree.blockNumber('0x12')).rejects.toThrow(/"hash"/);
  });

  test('and no longer: the index goes with its blocks', async () => {
    const store = memoryStore();
    const tree = await applied({ ...store, close: async () => {} });
    await tree.revert(8);
    expect(await tree.blockNumber(hashOf('09'))).toBeUndefined();
    await tree.applyBlock({ number: 9, changes: changesOf(90), hash: hashOf('99') });
    for (const number of [2, 4, 6, 8, 9]) await tree.finalize(number);
    const held = [undefined, undefined, undefined, undefined, undefined, 6, undefined, 8];
    for (const [i, number] of held.entries()) {
      expect(await tree.blockNumber(hashOf(`0${i + 1}`))).toBe(number);
    }
    expect(await tree.blockNumber(hashOf('99'))).toBe(9);
    // 0x4b: the index's own entries, of which none may stay behind.
    const index = await rangeOf(store, Uint8Array.of(0x4b), Uint8Array.of(0x4c), {
      limit: 100,
    });
    expect(index.map(({ key }) => key[0])).toEqual([0x4b, 0x4b, 0x4b]);
  });

  test('in a store of an older version, which has no index, by a look at the newest blocks', async () => {
    const store = memoryStore();
    const tree = await applied({ ...store, close: async () => {} });
    for (let number = 1; number <= 9; number++) {
      const hash = new Uint8Array(32).fill(number);
      await store.write({ puts: [], deletes: [Uint8Array.of(0x4b, ...hash)] });
    }
    for (const number of [1, 5, 9]) {
      expect(await tree.blockNumber(hashOf(`0${number}`))).toBe(number);
      expect(await tree.blockNumber(hashOf(`0${number}`), 5)).toBe(number > 5 ? undefined : number);
    }
    await tree.applyBlock({ number: 10, changes: changesOf(10), hash: hashOf('10') });
    expect(await tree.blockNumber(hashOf('10'))).toBe(10);
    expect(await tree.blockNumber(hashOf('03'))).toBe(3);
    expect(await tree.blockNumber(hashOf('aa'))).toBeUndefined();
  });
});

test('a proof pauses between pieces of eight slots, and ends with what the pause throws', async () => {
  const tree = await openStateTree();
  const address: Hex = `0x${'11'.repeat(20)}`;
  const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
  const storage = [{ key: word(1), value: word(2) }];
  await tree.applyBlock({
    number: 1,
    changes: [{ address, account: { nonce: 1, balance: 1 }, storage }],
  });
  const keys = Array.from({ length: 64 }, (_, i) => word(i));
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
  };
  const whole = await tree.getProof(address, keys, 1);
  expect(await tree.getProof(address, keys, 1, { pause })).toEqual(whole);
  expect(pauses).toBeGreaterThanOrEqual(8);
  const over = new Error('enough');
  const failing = () => Promise.reject(over);
  await expect(tree.getProof(address, keys, 1, { pause: failing })).rejects.toBe(over);
});
