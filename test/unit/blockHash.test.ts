/** A state tree keeps each block's own hash beside its root. */
import { expect, test } from 'vitest';
import { type Hex, memoryStore, openStateTree, TreeError } from '../../src/tree/index.js';

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
  await expect(tree.blockHash(1)).rejects.toBeInstanceOf(TreeError);
});

test('a wrong hash is refused, and changes nothing', async () => {
  const tree = await openStateTree();
  for (const hash of ['0x', hashOf('01').slice(0, -2), `${hashOf('01')}00`, 7, null]) {
    const block = { number: 1, changes: changesOf(1), hash: hash as Hex };
    await expect(tree.applyBlock(block)).rejects.toThrow(/"hash"/);
  }
  expect(await tree.newestBlock()).toBeUndefined();
});
