/** What is named final on the way, by a node's word and by L1. */
import { expect, test } from 'vitest';
import type { RollupContract } from '../../../../src/anchor/contract.js';
import { finalizerByNode, finalizerByRollup } from '../../../../src/follow/loop/finalizer.js';
import { checkSchedule } from '../../../../src/follow/node/system.js';
import { openStateTree } from '../../../../src/tree/index.js';
import { fromHex } from '../../../support/hex.js';

/** Notes what is named final. */
function target(last?: number) {
  const named: number[] = [];
  return {
    named,
    finalBlock: async () => named.at(-1) ?? last,
    finalize: async (block: number) => {
      named.push(block);
    },
  };
}

test('by a node, the first block, every 64th after it and the last one are named', async () => {
  const tree = target();
  let finalized: number | undefined;
  const finalizer = finalizerByNode(tree, { finalized: async () => finalized });
  await finalizer.settle(10);
  expect(tree.named).toEqual([]);
  await finalizer.refresh();
  await finalizer.settle(10);
  expect(tree.named).toEqual([]);
  finalized = 200;
  await finalizer.refresh();
  for (let newest = 0; newest <= 210; newest++) await finalizer.settle(newest);
  expect(tree.named).toEqual([0, 64, 128, 192, 200]);
});

test('by L1, only blocks with a root there are named, and a wrong one distrusts the tree', async () => {
  const tree = await openStateTree();
  const roots = new Map<number, string>();
  for (const number of [1, 2, 3]) {
    const account = { nonce: number, balance: 0 };
    const changes = [{ address: `0x${'11'.repeat(20)}` as const, account }];
    const { stateRoot } = await tree.applyBlock({ number, changes });
    if (number !== 2) roots.set(number, stateRoot);
  }
  let final = 0;
  const rollup = {
    currentL2BlockNumber: async () => final,
    stateRootHash: async (block: number) => fromHex(roots.get(block) ?? `0x${'00'.repeat(32)}`),
    blockHash: async () => new Uint8Array(32),
  } satisfies RollupContract;
  const warnings: string[] = [];
  const finalizer = finalizerByRollup(tree, rollup, 'finalized', (text) => warnings.push(text));
  // Nothing is known to be final yet.
  await finalizer.settle(3);
  expect(await tree.finalBlock()).toBeUndefined();
  final = 2;
  expect(await finalizer.refresh()).toBe(2);
  await finalizer.settle(3);
  expect(await tree.finalBlock()).toBe(1);
  // The last finalized block must have one or the other.
  expect(warnings).toEqual([expect.stringContaining('neither a state root nor a hash of block 2')]);
  final = 9;
  await finalizer.refresh();
  roots.set(3, `0x${'77'.repeat(32)}`);
  await expect(finalizer.settle(3)).rejects.toMatchObject({ code: 'ROOT_MISMATCH' });
  await expect(tree.finalBlock()).rejects.toMatchObject({ code: 'DISTRUSTED' });
});

test('by L1, a block whose hash it has is named, and another hash is refused', async () => {
  const tree = await openStateTree();
  const hashOf = (block: number) => `0x${String(block).repeat(64)}` as const;
  for (const number of [1, 2, 3]) {
    await tree.applyBlock({ number, hash: hashOf(number), changes: [] });
  }
  let [final, hash]: [number, string] = [2, hashOf(2)];
  const rollup = {
    currentL2BlockNumber: async () => final,
    stateRootHash: async () => new Uint8Array(32),
    blockHash: async () => fromHex(hash),
  } satisfies RollupContract;
  const warnings: string[] = [];
  const finalizer = finalizerByRollup(tree, rollup, 'finalized', (text) => warnings.push(text));
  await finalizer.refresh();
  await finalizer.settle(3);
  expect(await tree.finalBlock()).toBe(2);
  expect(warnings).toEqual([expect.stringMatching(/hash of block 2, and no state root any more/)]);
  [final, hash] = [3, hashOf(3)];
  await finalizer.refresh();
  await finalizer.settle(3);
  expect(await tree.finalBlock()).toBe(3);
  expect(warnings.length).toBe(1);
  const other = await openStateTree();
  await other.applyBlock({ number: 3, hash: hashOf(4), changes: [] });
  const refusing = finalizerByRollup(other, rollup, 'finalized', () => {});
  await refusing.refresh();
  await expect(refusing.settle(3)).rejects.toMatchObject({
    code: 'REORG_TOO_DEEP',
    reason: expect.stringContaining(`${hashOf(4)} here and ${hashOf(3)} on L1`),
  });
  expect(await other.finalBlock()).toBeUndefined();
});

test('forks are one, or a list of later and later ones', () => {
  expect(() => checkSchedule('prague')).not.toThrow();
  const schedule = [
    { fork: 'london', time: 0 },
    { fork: 'prague', time: 5 },
  ] as const;
  expect(() => checkSchedule(schedule)).not.toThrow();
  const text = '"fork" expected a fork or a list of them';
  expect(() => checkSchedule({} as never)).toThrow(new TypeError(text));
  expect(() => checkSchedule('berlin-2' as never)).toThrow(RangeError);
  expect(() => checkSchedule([...schedule].reverse())).toThrow(RangeError);
  expect(() => checkSchedule([schedule[0], { fork: 'prague', time: 0 }])).toThrow(RangeError);
  expect(() => checkSchedule([{ fork: 'prague', time: 0.5 }])).toThrow(RangeError);
  expect(() => checkSchedule([{ fork: 'prague', time: -5 }])).toThrow(RangeError);
});
