/** What a read makes is gone with the next collection of new objects. What outlives it is copied twice and then stays until a full one. */
import { join } from 'node:path';
import { getHeapSpaceStatistics } from 'node:v8';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lmdbStore } from '../../../../src/lmdb/index.js';
import {
  memoryStore,
  openStateTree,
  type StateTree,
  type Store,
} from '../../../../src/tree/index.js';
import { newFolder } from '../../../support/folder.js';

const address = `0x${'ab'.repeat(20)}` as const;
const count = 20_000;

/** Bytes of objects that have outlived collections. */
const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ??
  0;

/** How many bytes more there are with each of many rounds; the least of some, for full collections come at any time. */
async function growth(round: () => Promise<unknown>): Promise<number> {
  const found: number[] = [];
  for (let tries = 0; tries < 3; tries++) {
    for (let i = 0; i < 2000; i++) await round();
    const before = oldBytes();
    for (let i = 0; i < count; i++) await round();
    found.push((oldBytes() - before) / count);
  }
  return Math.min(...found.map(Math.abs));
}

describe.each<[string, () => Store]>([
  ['in memory', memoryStore],
  ['in LMDB', () => lmdbStore({ path: join(newFolder(), 'state') })],
])('of a state %s', (_, open) => {
  let tree: StateTree;
  beforeAll(async () => {
    tree = await openStateTree({ store: open() });
    await tree.applyBlock({
      number: 1,
      changes: [{ address, account: { nonce: 1, balance: 1n } }],
    });
    await tree.finalize(1);
  });
  afterAll(() => tree.close());

  const reads: [string, () => Promise<unknown>][] = [
    ['the newest block', () => tree.newestBlock(5)],
    ['the final block', () => tree.finalBlock()],
  ];
  test.each(reads)('%s', async (_, read) => {
    // Of what is spread before other members, `{ ...range, limit }`, Node 20 kept 280 to 550 bytes a read.
    expect(await growth(read)).toBeLessThan(60);
  });
});
