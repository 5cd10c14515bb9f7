/** Blocks that go into a state in one write, against a state that takes one write for each. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HashFamily } from '../../src/index.js';
import { type BlockGroup, memoryStore, openStateTree, type Store } from '../../src/tree/index.js';
import { rewritesKey } from '../../src/tree/layout/layout.js';
import { addresses, blocks, changeOf, hex, keys } from '../support/changes.js';
import { toHex } from '../support/hex.js';
import { families, patience, runsOf } from '../support/runs.js';
import { far, textsOf } from '../support/stores.js';

/** All entries but the count of merges, of which a group may need fewer. */
async function contentOf(store: Store): Promise<string[]> {
  const texts = await textsOf(store);
  return texts.filter((text) => !text.startsWith(`${toHex(rewritesKey)} `));
}

/** Lengths of groups, in turn: whatever is cut, some end in the middle. */
const lengths = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 });

function cut<T>(items: readonly T[], parts: readonly number[]): T[][] {
  const groups: T[][] = [];
  for (let from = 0, i = 0; from < items.length; i++) {
    const length = parts[i % parts.length] as number;
    groups.push(items.slice(from, from + length));
    from += length;
  }
  return groups;
}

describe.each(families)('a group of blocks, %s', (hash: HashFamily) => {
  test.each([
    ['at hand', (store: Store) => store],
    ['behind a network', far],
  ])(
    'leaves a store %s as one write for each block does',
    (_, seen) =>
      fc.assert(
        fc.asyncProperty(blocks, lengths, fc.nat(3), async (run, parts, every) => {
          const [one, many] = [memoryStore(), memoryStore()];
          const single = await openStateTree({ hash, store: one, keepFinal: 2 });
          const grouped = await openStateTree({ hash, store: seen(many), keepFinal: 2 });
          const numbered = run.map((changes, number) => ({
            number,
            changes: changes.map(changeOf),
            // With 0, none is named final.
            ...(every > 0 && number % every === 0 && { finalBlock: number }),
          }));
          const roots: string[] = [];
          for (const block of numbered) roots.push((await single.applyBlock(block)).stateRoot);
          const found: string[] = [];
          for (const part of cut(numbered, parts)) {
            await grouped.applyBlocks(async ({ applyBlock, read }) => {
              for (const block of part) {
                found.push((await applyBlock(block)).stateRoot);
                const [address] = addresses.map(hex);
                const { account } = await read(address as `0x${string}`);
                const change = block.changes.find((given) => given.address === address);
                if (change) expect(account === null).toBe(change.account === null);
              }
            });
          }
          expect(found).toEqual(roots);
          expect(await textsOf(many)).toEqual(await textsOf(one));
        }),
        runsOf(hash),
      ),
    patience,
  );

  test(
    'with blocks that it passes leaves what naming the next one final leaves',
    () =>
      fc.assert(
        fc.asyncProperty(blocks, lengths, async (run, parts) => {
          const [one, many] = [memoryStore(), memoryStore()];
          const single = await openStateTree({ hash, store: one, keepFinal: 2 });
          const grouped = await openStateTree({ hash, store: many, keepFinal: 2 });
          const numbered = run.map((changes, number) => ({
            number,
            changes: changes.map(changeOf),
          }));
          const [first, ...rest] = numbered;
          if (first === undefined) return;
          for (const tree of [single, grouped]) await tree.applyBlock({ ...first, finalBlock: 0 });
          for (const part of cut(rest, parts)) {
            const last = part.at(-1) as (typeof part)[number];
            const roots: string[] = [];
            for (const block of part) roots.push((await single.applyBlock(block)).stateRoot);
            await single.finalize(last.number);
            const found: string[] = [];
            await grouped.applyBlocks(async ({ applyBlock, passBlock }) => {
              for (const block of part.slice(0, -1)) {
                found.push(await passBlock(block));
              }
              found.push((await applyBlock({ ...last, finalBlock: last.number })).stateRoot);
            });
            expect(found).toEqual(roots);
            expect(await contentOf(many)).toEqual(await contentOf(one));
            expect(await proofsOf(grouped)).toBe(await proofsOf(single));
          }
        }),
        runsOf(hash),
      ),
    patience,
  );

  test(
    'that it passes are taken back with the block behind them',
    () =>
      fc.assert(
        fc.asyncProperty(blocks, async (run) => {
          const store = memoryStore();
          const tree = await openStateTree({ hash, store });
          const [first, ...rest] = run.map((changes, number) => ({
            number,
            changes: changes.map(changeOf),
          }));
          const last = rest.at(-1);
          if (first === undefined || last === undefined) return;
          const { stateRoot } = await tree.applyBlock(first);
          const before = await contentOf(store);
          const proofs = await proofsOf(tree);
          await tree.applyBlocks(async ({ applyBlock, passBlock }) => {
            for (const block of rest.slice(0, -1)) await passBlock(block);
            await applyBlock(last);
          });
          expect(await proofsOf(tree, first.number)).toBe(proofs);
          expect(await tree.newestBlock(last.number - 1)).toBe(first.number);
          await tree.revert(first.number);
          expect(await tree.stateRoot()).toBe(stateRoot);
          expect(await contentOf(store)).toEqual(before);
        }),
        runsOf(hash),
      ),
    patience,
  );
});

test('a group that fails anywhere changes nothing, also if its work goes on', async () => {
  const store = memoryStore();
  const tree = await openStateTree({ store });
  const change = (nonce: number) => ({
    address: `0x${'a1'.repeat(20)}` as const,
    account: { nonce, balance: 0 },
  });
  const before = await textsOf(store);
  const wrong = { address: change(0).address, account: null, before: { nonce: 9, balance: 0 } };
  const first = { number: 1, changes: [change(1)] };
  const cases: [string, (group: BlockGroup) => Promise<unknown>, object][] = [
    [
      'a block does not fit, and nobody looks',
      async ({ applyBlock }) => {
        await applyBlock(first);
        applyBlock({ number: 2, changes: [wrong] }).catch(() => {});
        applyBlock({ number: 3, changes: [change(3)] }).catch(() => {});
      },
      { code: 'STATE_MISMATCH' },
    ],
    [
      'a call is wrong, and nobody looks',
      async ({ applyBlock }) => {
        await applyBlock(first);
        applyBlock({ number: 'x' as never, changes: [] }).catch(() => {});
      },
      { name: 'RangeError' },
    ],
    [
      'the work throws',
      async ({ applyBlock }) => {
        await applyBlock(first);
        throw new Error('enough');
      },
      { message: 'enough' },
    ],
    [
      'the last block is not held',
      async ({ applyBlock, passBlock }) => {
        await applyBlock(first);
        await passBlock({ number: 2, changes: [change(2)] });
      },
      {
        name: 'RangeError',
        message: expect.stringMatching(/^the last block of the group, 2, is not held/),
      },
    ],
    [
      'the first block of all is not held',
      async ({ passBlock }) => passBlock(first),
      { code: 'BLOCK_MISSING' },
    ],
    [
      'a block comes twice',
      async ({ applyBlock, passBlock }) => {
        await applyBlock(first);
        await passBlock({ number: 3, changes: [] });
        await applyBlock({ number: 3, changes: [] });
      },
      { code: 'BLOCK_ORDER' },
    ],
  ];
  for (const [name, work, error] of cases) {
    await expect(tree.applyBlocks(work), name).rejects.toMatchObject(error);
    expect(await textsOf(store), name).toEqual(before);
  }
  let late: BlockGroup | undefined;
  await tree.applyBlocks(async (group) => {
    late = group;
  });
  await expect(late?.applyBlock(first)).rejects.toMatchObject({ code: 'CLOSED' });
  expect(await textsOf(store)).toEqual(before);
  // Other writes are not kept up by what failed.
  expect(await tree.applyBlock(first)).toMatchObject({ number: 1 });
});

async function proofsOf(
  tree: Awaited<ReturnType<typeof openStateTree>>,
  at?: number,
): Promise<string> {
  const proofs = await Promise.all(
    addresses.map((address) => tree.getProof(hex(address), keys, at)),
  );
  return JSON.stringify(proofs);
}
