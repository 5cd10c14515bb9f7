/** A node whose trace of a block is wrong once, or again and again: what is not final is taken back and asked for again. */
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import {
  createFollower,
  type FollowerOptions,
  genesisLines,
  loadStateFile,
} from '../../../../src/follow/index.js';
import { createTakeBack, RefusedBlock } from '../../../../src/follow/loop/refusedBlock.js';
import { FollowError } from '../../../../src/follow/node/errors.js';
import { lmdbStore } from '../../../../src/lmdb/index.js';
import { createTransport } from '../../../../src/rpc/index.js';
import {
  memoryStore,
  openStateTree,
  type StateTree,
  type Store,
} from '../../../../src/tree/index.js';
import { type Anvil, create2, slotInit, startAnvil, store, word } from '../../../support/anvil.js';
import { genesisAddresses, genesisOf, slots } from '../../../support/chain.js';
import { newFolder } from '../../../support/folder.js';
import { type Forge, startForged } from '../../../support/forged.js';
import { patience } from '../../../support/runs.js';

const closing: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((one) => one.close()));
});

/** Four blocks, of which the first two are final; from the second on, each writes the same slot. */
async function start(): Promise<Anvil> {
  const node = await startAnvil('--hardfork', 'prague');
  closing.push(node);
  await node.mine(create2(1, slotInit));
  await node.mine(store(slots(1), 1, 1));
  await node.mine(store(slots(1), 1, 2));
  await node.mine(store(slots(1), 1, 3));
  return node;
}

async function front(node: Anvil, forge: Forge): Promise<string> {
  const server = await startForged(node, forge);
  closing.push(server);
  return server.url;
}

async function load(node: Anvil, kept: Store = memoryStore()): Promise<StateTree> {
  const tree = await openStateTree({ store: kept });
  await loadStateFile(tree, genesisLines(await genesisOf(node, genesisAddresses)));
  return tree;
}

async function follow(
  tree: StateTree,
  url: string,
  more: Partial<FollowerOptions> = {},
  signal?: AbortSignal,
) {
  const warnings: string[] = [];
  const follower = createFollower({
    tree,
    l2: createTransport({ url }),
    fork: 'prague',
    interval: 10,
    patience: { tries: 2, delay: 1 },
    onWarning: (text) => warnings.push(text),
    ...more,
  });
  await follower.run({ once: true, ...(signal && { signal }) });
  return warnings.slice(1);
}

const key = `0x${word(1)}`;

/** Edits the trace of a block; `values` has one for each time that it is asked for, undefined if it is left as it is. */
function wrongly(block: number, values: readonly (number | undefined)[]): Forge {
  let asked = 0;
  return (method, [tag], result) => {
    if (method !== 'debug_traceBlockByNumber' || Number(tag) !== block) return result;
    const value = values[asked++];
    if (value !== undefined) result[0].result.post[slots(1)].storage[key] = `0x${word(value)}`;
    return result;
  };
}

const mismatch = { name: 'FollowError', code: 'STATE_MISMATCH' };

async function honestRoot(node: Anvil): Promise<string> {
  const tree = await load(node);
  await follow(tree, node.url);
  return tree.stateRoot();
}

/** The traces of block 3, which is not final, say other values, one each time they are asked for; then the true one. */
const lying = (...values: number[]) => wrongly(3, values);

describe('a wrong trace of a block that is not final', () => {
  test.each<[string, () => Store]>([
    ['memory', () => memoryStore()],
    ['LMDB', () => lmdbStore({ path: join(newFolder(), 'state') })],
  ])(
    'is taken back once the next block shows it, in %s',
    async (_, open) => {
      const node = await start();
      const tree = await load(node, open());
      closing.push(tree);
      const warnings = await follow(tree, await front(node, lying(9)));
      expect(warnings).toEqual([
        expect.stringMatching(
          /^block 4 does not begin with .*; blocks 3 to 3, which are not final, are taken back, .* in 1 s$/,
        ),
      ]);
      expect(await tree.newestBlock()).toBe(4);
      expect(await tree.stateRoot()).toBe(await honestRoot(node));
    },
    patience,
  );

  test(
    'that comes again ends the run, and another node goes on from there though more is final by then',
    async () => {
      const node = await start();
      const tree = await load(node);
      const liar = await front(node, lying(9, 9, 9, 9));
      await expect(follow(tree, liar)).rejects.toMatchObject({
        ...mismatch,
        message: expect.stringMatching(/^block 4 does not begin with .*slot/),
      });
      expect(await tree.newestBlock()).toBe(3);
      // A restart asks again, and so does one before another node.
      await expect(follow(tree, liar)).rejects.toMatchObject(mismatch);
      for (const value of [5, 6, 7]) await node.mine(store(slots(1), 1, value));
      const warnings = await follow(tree, node.url);
      expect(warnings).toHaveLength(1);
      expect(await tree.newestBlock()).toBe(7);
      expect(await tree.stateRoot()).toBe(await honestRoot(node));
    },
    patience,
  );

  test(
    'is asked for as long as each answer is another one',
    async () => {
      const node = await start();
      const tree = await load(node);
      const warnings = await follow(tree, await front(node, lying(9, 8, 7, 6)));
      expect(warnings).toHaveLength(4);
      expect(await tree.stateRoot()).toBe(await honestRoot(node));
    },
    patience,
  );

  test(
    'of its own is asked for again, with nothing taken back',
    async () => {
      const node = await start();
      const tree = await load(node);
      let asked = 0;
      const forge: Forge = (method, [tag], result) => {
        if (method !== 'debug_traceBlockByNumber' || Number(tag) !== 3 || asked++ > 0)
          return result;
        result[0].result.pre[slots(1)].storage[key] = `0x${word(9)}`;
        return result;
      };
      const warnings = await follow(tree, await front(node, forge));
      expect(warnings).toEqual([expect.stringMatching(/; asking for block 3 again in 1 s$/)]);
      expect(await tree.stateRoot()).toBe(await honestRoot(node));
    },
    patience,
  );

  test(
    'cannot be taken back once it is final',
    async () => {
      const node = await start();
      const tree = await load(node);
      await expect(follow(tree, await front(node, wrongly(2, [9, 9, 9])))).rejects.toMatchObject(
        mismatch,
      );
      await expect(follow(tree, node.url)).rejects.toMatchObject(mismatch);
      expect(await tree.newestBlock()).toBe(2);
    },
    patience,
  );

  test(
    'among final blocks, which go into the tree together, leaves those before it, and is asked for again',
    async () => {
      const node = await start();
      for (const value of [4, 5, 6]) await node.mine(store(slots(1), 1, value));
      /** The traces of block 4, one of five that are final, begin with another value so often. */
      const lyingBefore = (times: number): Forge => {
        let asked = 0;
        return (method, [tag], result) => {
          const isMeant = method === 'debug_traceBlockByNumber' && Number(tag) === 4;
          if (isMeant && asked++ < times) {
            result[0].result.pre[slots(1)].storage[key] = `0x${word(9)}`;
          }
          return result;
        };
      };
      const tree = await load(node);
      const held: number[] = [];
      const onProgress = ({ block }: { block: number }) => held.push(block);
      await expect(
        follow(tree, await front(node, lyingBefore(Infinity)), { onProgress }),
      ).rejects.toMatchObject({
        ...mismatch,
        message: expect.stringMatching(/^block 4 does not begin/),
      });
      expect(await tree.newestBlock()).toBe(3);
      const warnings = await follow(tree, await front(node, lyingBefore(1)), { onProgress });
      expect(warnings).toEqual([
        expect.stringMatching(/; blocks 1 to 3, which are not final, are taken back, /),
      ]);
      expect(held.slice(-3)).toEqual([5, 6, 7]);
      expect(await tree.stateRoot()).toBe(await honestRoot(node));
    },
    patience,
  );

  test(
    'is taken back by a run that follows one that was ended there',
    async () => {
      const node = await start();
      const path = join(newFolder(), 'state');
      const tree = await load(node, lmdbStore({ path }));
      const controller = new AbortController();
      const options = { onWarning: () => controller.abort(new Error('ended')) };
      // The first warning of all says that nothing confirms the state.
      const onWarning = (text: string) => {
        if (text.includes('taken back')) options.onWarning();
      };
      const liar = await front(node, lying(9));
      const running = follow(
        tree,
        liar,
        { onWarning, patience: { tries: 1, delay: 60_000 } },
        controller.signal,
      );
      await expect(running).rejects.toThrow('ended');
      await tree.close();
      const again = await openStateTree({ store: lmdbStore({ path }) });
      closing.push(again);
      expect(await again.newestBlock()).toBe(2);
      await follow(again, node.url);
      expect(await again.stateRoot()).toBe(await honestRoot(node));
    },
    patience,
  );
});

describe('blocks that are taken back', () => {
  const hash = `0x${word(7)}` as const;
  const refused = (number: number, code: 'STATE_MISMATCH' | 'BAD_TRACE' = 'STATE_MISMATCH') =>
    new RefusedBlock(number, hash, new FollowError(code, `block ${number}`));
  const address = `0x${'aa'.repeat(20)}` as const;

  async function chain(length: number, wrap = (tree: StateTree) => tree) {
    const tree = await openStateTree();
    for (let number = 0; number <= length; number++) {
      await tree.applyBlock({
        number,
        changes: [{ address, account: { nonce: number, balance: 0 } }],
      });
      if (number === 2) await tree.finalize(number);
    }
    const warnings: string[] = [];
    const onWarning = (text: string) => warnings.push(text);
    return { tree, takeBack: createTakeBack(wrap(tree), { delay: 1000, onWarning }), warnings };
  }

  test('are all above the final one, in steps that leave a whole chain', async () => {
    let left = 1;
    const { tree, takeBack, warnings } = await chain(600, (inner) => ({
      ...inner,
      async revert(block) {
        if (left-- === 0) throw new Error('killed');
        await inner.revert(block);
      },
    }));
    const root = await tree.stateRoot(344);
    await expect(takeBack(refused(601))).rejects.toThrow('killed');
    expect([await tree.newestBlock(), await tree.stateRoot()]).toEqual([344, root]);
    expect(warnings).toEqual([]);
    left = 10;
    expect(await takeBack(refused(345))).toBe(2000);
    expect([await tree.newestBlock(), left]).toEqual([2, 8]);
    expect(warnings).toEqual([expect.stringContaining('blocks 3 to 344, which are not final')]);
  });

  test('are asked for with pauses of a minute at most, until a later block is refused', async () => {
    const { tree, takeBack } = await chain(3);
    const pauses: unknown[] = [];
    const again = async (nonce: number) => {
      await tree.applyBlock({ number: 3, changes: [{ address, account: { nonce, balance: 0 } }] });
      pauses.push(await takeBack(refused(4)));
    };
    pauses.push(await takeBack(refused(4)));
    for (const nonce of [10, 11, 12, 13, 14, 15, 16]) await again(nonce);
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    // An earlier block that is refused meanwhile is another matter, but not another beginning.
    expect(await takeBack(refused(3, 'BAD_TRACE'))).toBe(60_000);
    await tree.applyBlock({
      number: 3,
      changes: [{ address, account: { nonce: 10, balance: 0 } }],
    });
    expect(await takeBack(refused(4))).toBeUndefined();
    expect(await tree.newestBlock()).toBe(3);
    await tree.applyBlock({ number: 4, changes: [] });
    expect(await takeBack(refused(5))).toBe(1000);
    expect(await tree.newestBlock()).toBe(2);
  });

  test('are none if the block before is final', async () => {
    const { tree, takeBack, warnings } = await chain(2);
    expect(await takeBack(refused(3))).toBe(1000);
    expect(warnings).toEqual(['block 3 (STATE_MISMATCH); asking for block 3 again in 1 s']);
    expect(await tree.newestBlock()).toBe(2);
  });

  test('are none if the traces of a block contradict each other', async () => {
    const { tree, takeBack } = await chain(5);
    expect(await takeBack(refused(6, 'BAD_TRACE'))).toBe(1000);
    expect(await takeBack(refused(6, 'BAD_TRACE'))).toBeUndefined();
    expect(await tree.newestBlock()).toBe(5);
  });
});
