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
  } as unknown as RollupContract;
  const finalizer = finalizerByRollup(tree, rollup, 'finalized');
  // Nothing is known to be final yet.
  await finalizer.settle(3);
  expect(await tree.finalBlock()).toBeUndefined();
  final = 2;
  expect(await finalizer.refresh()).toBe(2);
  await finalizer.settle(3);
  expect(await tree.finalBlock()).toBe(1);
  final = 9;
  await finalizer.refresh();
  roots.set(3, `0x${'77'.repeat(32)}`);
  await expect(finalizer.settle(3)).rejects.toMatchObject({ code: 'ROOT_MISMATCH' });
  await expect(tree.finalBlock()).rejects.toMatchObject({ code: 'DISTRUSTED' });
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
