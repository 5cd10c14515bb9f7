/** A follower over reorgs, restarts, failing nodes, and against a rollup contract on L1; all nodes are real. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { afterEach, describe, expect, test } from 'vitest';
import {
  createFollower,
  FollowError,
  type FollowerOptions,
  genesisLines,
  loadStateFile,
} from '../../../src/follow/index.js';
import { createTransport, RpcError, type Transport } from '../../../src/rpc/index.js';
import { createService, fixedFinality } from '../../../src/service/index.js';
import { memoryStore, openStateTree, type StateTree } from '../../../src/tree/index.js';
import {
  type Anvil,
  create2,
  rollupCode,
  slotInit,
  startAnvil,
  store as storeSlot,
  word,
} from '../../support/anvil.js';
import {
  expectEqual,
  genesisAddresses,
  genesisOf,
  slots,
  type Touched,
  touchBlock,
  touchLife,
} from '../../support/chain.js';
import { fromHex, toHex } from '../../support/hex.js';
import { patience } from '../../support/runs.js';
import { until } from '../../support/until.js';

const nodes: Anvil[] = [];
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});

async function start(): Promise<Anvil> {
  const node = await startAnvil('--hardfork', 'prague');
  nodes.push(node);
  return node;
}

const transportOf = ({ url }: Anvil): Transport => createTransport({ url });

async function load(node: Anvil, store = memoryStore()): Promise<StateTree> {
  const tree = await openStateTree({ store });
  await loadStateFile(tree, genesisLines(await genesisOf(node, genesisAddresses)));
  return tree;
}

const quick = { tries: 3, delay: 1 };
const follow = (tree: StateTree, node: Anvil, more: Partial<FollowerOptions> = {}) =>
  createFollower({
    tree,
    l2: transportOf(node),
    fork: 'prague',
    interval: 10,
    patience: quick,
    ...more,
  });

/** Mines a block that writes one value. */
const step = (node: Anvil, value: number) => node.mine(storeSlot(slots(1), 1, value));

async function expectChain(node: Anvil, tree: StateTree, from: number, to: number) {
  const touched: Touched = new Map();
  touchLife(touched);
  for (let block = 1; block <= to; block++) await touchBlock(node, touched, block);
  for (let block = from; block <= to; block++) {
    await expectEqual(node, tree, touched, block);
    const { hash } = await node.call('eth_getBlockByNumber', `0x${block.toString(16)}`, false);
    expect(await tree.blockHash(block)).toBe(hash);
  }
}

describe('a reorg', () => {
  test.each(['anvil_reorg', 'evm_revert'])(
    'by %s of blocks that are not final is followed',
    async (method) => {
      const node = await start();
      const tree = await load(node);
      await node.mine(create2(1, slotInit));
      for (const value of [2, 3, 4]) await step(node, value);
      const snapshot = await node.call('evm_snapshot');
      for (const value of [5, 6]) await step(node, value);
      await follow(tree, node).run({ once: true });
      expect(await tree.newestBlock()).toBe(6);
      expect(await tree.finalBlock()).toBe(4);
      const before = await tree.stateRoot(5);

      if (method === 'anvil_reorg') await node.call('anvil_reorg', 2, []);
      else {
        await node.call('evm_revert', snapshot);
        // A node that is merely behind is no reorg.
        await follow(tree, node).run({ once: true });
        expect(await tree.newestBlock()).toBe(6);
        await step(node, 50);
        await follow(tree, node).run({ once: true });
        expect(await tree.newestBlock()).toBe(5);
        await step(node, 60);
      }
      await step(node, 70);
      await follow(tree, node).run({ once: true });
      expect(await tree.newestBlock()).toBe(7);
      expect(await tree.stateRoot(5)).not.toBe(before);
      await expectChain(node, tree, 5, 7);
    },
    patience,
  );

  test(
    'of a block that is final stops, with nothing changed',
    async () => {
      const node = await start();
      const tree = await load(node);
      await node.mine(create2(1, slotInit));
      await step(node, 2);
      const snapshot = await node.call('evm_snapshot');
      for (const value of [3, 4, 5]) await step(node, value);
      await follow(tree, node).run({ once: true });
      expect(await tree.finalBlock()).toBe(3);
      const root = await tree.stateRoot();
      await node.call('evm_revert', snapshot);
      for (const value of [30, 40, 50, 60]) await step(node, value);
      const follower = follow(tree, node);
      await expect(follower.run({ once: true })).rejects.toMatchObject({
        name: 'FollowError',
        code: 'REORG_TOO_DEEP',
      });
      expect(follower.failure).toMatchObject({ code: 'REORG_TOO_DEEP' });
      expect(follower.canServe).toBe(true);
      expect([await tree.newestBlock(), await tree.stateRoot()]).toEqual([5, root]);
    },
    patience,
  );

  test(
    'while the follower runs is followed as well',
    async () => {
      const node = await start();
      const tree = await load(node);
      await node.mine(create2(1, slotInit));
      const seen: number[] = [];
      const controller = new AbortController();
      const follower = follow(tree, node, { onProgress: ({ block }) => seen.push(block) });
      const running = follower.run({ signal: controller.signal });
      for (const value of [2, 3, 4, 5]) {
        await step(node, value);
        await until(() => seen.at(-1) === value, `block ${value} was followed`);
      }
      await expect(follower.run()).rejects.toThrow(/running/);
      await node.call('anvil_reorg', 1, []);
      await step(node, 6);
      await until(() => seen.at(-1) === 6, 'block 6 was followed');
      controller.abort(new Error('enough'));
      await expect(running).rejects.toThrow('enough');
      await expectChain(node, tree, 5, 6);
    },
    patience,
  );
});

describe('a follower', () => {
  test(
    'that is stopped anywhere goes on from there, to the same root',
    async () => {
      const node = await start();
      await node.mine(create2(1, slotInit));
      for (let value = 2; value <= 30; value++) await step(node, value);
      const store = { ...memoryStore(), close: async () => {} };
      let tree = await load(node, store);
      let stops = 0;
      for (let budget = 1; (await tree.newestBlock()) !== 30; budget += 7) {
        const controller = new AbortController();
        let calls = 0;
        const l2: Transport = {
          call(method, params, options) {
            if (++calls > budget) controller.abort(new Error('stopped'));
            return transportOf(node).call(method, params, options);
          },
        };
        const run = follow(tree, node, { l2 }).run({ once: true, signal: controller.signal });
        await run.catch((error) => {
          expect(error.message).toBe('stopped');
          stops++;
        });
        await tree.close();
        tree = await openStateTree({ store });
      }
      expect(stops).toBeGreaterThan(3);
      const whole = await load(node);
      await follow(whole, node).run({ once: true });
      expect(await tree.stateRoot()).toBe(await whole.stateRoot());
    },
    patience,
  );

  test('asks a failing node again, and gives up after a while with what it holds', async () => {
    const node = await start();
    for (let i = 0; i < 4; i++) await node.mine();
    const asked = new Map<string, number>();
    const flaky: Transport = {
      async call(method, params, options) {
        const question = JSON.stringify([method, params]);
        const times = (asked.get(question) ?? 0) + 1;
        asked.set(question, times);
        if (times % 3 !== 0) throw new RpcError('TIMEOUT', method, 'no answer');
        return transportOf(node).call(method, params, options);
      },
    };
    const tree = await load(node);
    await follow(tree, node, { l2: flaky }).run({ once: true });
    expect(await tree.newestBlock()).toBe(4);
    await node.close();
    const error = await follow(tree, node)
      .run({ once: true })
      .catch((reason) => reason);
    expect(error).toBeInstanceOf(FollowError);
    expect(error).toMatchObject({ code: 'NODE_FAILED', cause: { code: 'NETWORK' } });
    expect(error.message).toMatch(/asked 3 times/);
    expect(await tree.newestBlock()).toBe(4);
  });

  test('does not ask again for what no second try changes', async () => {
    const node = await start();
    await node.mine();
    let calls = 0;
    const l2: Transport = {
      async call(method, params, options) {
        if (method !== 'debug_traceBlockByNumber')
          return transportOf(node).call(method, params, options);
        calls++;
        throw new RpcError('SERVER_ERROR', method, 'no such method', { serverCode: -32601 });
      },
    };
    const run = follow(await load(node), node, { l2 }).run({ once: true });
    await expect(run).rejects.toMatchObject({ code: 'NODE_FAILED' });
    expect(calls).toBe(1);
  });

  test('refuses a node of another chain, an empty tree, and wrong options', async () => {
    const node = await start();
    const tree = await openStateTree();
    const run = () => follow(tree, node).run({ once: true });
    await expect(run()).rejects.toMatchObject({ code: 'NOT_LOADED' });
    const genesis = await genesisOf(node, genesisAddresses);
    const other = { ...genesis, hash: `0x${'12'.repeat(32)}` as const };
    await loadStateFile(tree, genesisLines(other));
    await expect(run()).rejects.toMatchObject({ code: 'REORG_TOO_DEEP' });
    const l1 = { transport: transportOf(node), rollup: '0x12' as const };
    expect(() => follow(tree, node, { l1 })).toThrow(RangeError);
    expect(() => follow(tree, node, { fork: 'bogota' as never })).toThrow(RangeError);
    const backwards = [
      { fork: 'prague', time: 10 },
      { fork: 'cancun', time: 20 },
    ] as const;
    expect(() => follow(tree, node, { fork: backwards })).toThrow(RangeError);
  });
});

describe('the rollup contract', () => {
  const rollup = `0x${'42'.repeat(20)}` as const;
  const set = (l1: Anvil, slot: string, value: string) =>
    l1.call('anvil_setStorageAt', rollup, slot, value);
  /** Slot of a mapping's entry. */
  const rootSlot = (block: number) => toHex(keccak_256(fromHex(`0x${word(block)}${word(282)}`)));

  async function startL1(): Promise<Anvil> {
    const l1 = await start();
    await l1.call('anvil_setCode', rollup, rollupCode);
    return l1;
  }

  /** Finalizes L2 blocks with these roots; three blocks later that is final on L1. */
  async function finalize(l1: Anvil, roots: readonly (readonly [block: number, root: string])[]) {
    for (const [block, root] of roots) {
      await set(l1, rootSlot(block), root);
      await set(l1, `0x${word(281)}`, `0x${word(block)}`);
    }
    for (let i = 0; i < 3; i++) await l1.mine();
  }

  test(
    'says what is final: blocks whose roots are those of the tree',
    async () => {
      const [l1, l2] = await Promise.all([startL1(), start()]);
      await l2.mine(create2(1, slotInit));
      for (let value = 2; value <= 8; value++) await step(l2, value);
      const known = await load(l2);
      await follow(known, l2).run({ once: true });
      // Blocks in between were dropped there: a tree without finality still holds them.
      const roots = await load(l2);
      const unending = { transport: transportOf(l1), rollup };
      await follow(roots, l2, { l1: unending }).run({ once: true });
      const rootOf = async (block: number) => [block, await roots.stateRoot(block)] as const;
      expect(await roots.finalBlock()).toBe(0);

      const tree = await load(l2);
      const follower = follow(tree, l2, { l1: { transport: transportOf(l1), rollup } });
      await finalize(l1, [await rootOf(0), await rootOf(3), await rootOf(5)]);
      await follower.run({ once: true });
      expect([await tree.newestBlock(), await tree.finalBlock()]).toEqual([8, 5]);
      // The block that ended the earlier finalization is provable, those in between are gone.
      expect(await tree.stateRoot(3)).toBe((await rootOf(3))[1]);
      await expect(tree.stateRoot(4)).rejects.toMatchObject({ code: 'BLOCK_MISSING' });

      await finalize(l1, [await rootOf(7)]);
      await follower.run({ once: true });
      expect(await tree.finalBlock()).toBe(7);
      expect(follower.canServe).toBe(true);
      // L1 may be ahead of the L2 node.
      await finalize(l1, [[20, `0x${word(1)}`]]);
      await follower.run({ once: true });
      expect([await tree.newestBlock(), await tree.finalBlock()]).toEqual([8, 7]);
    },
    patience,
  );

  test(
    'with another root stops the follower, for good, before that block is final',
    async () => {
      const [l1, l2] = await Promise.all([startL1(), start()]);
      await l2.mine(create2(1, slotInit));
      for (let value = 2; value <= 6; value++) await step(l2, value);
      const tree = await load(l2);
      const root = await tree.stateRoot(0);
      await finalize(l1, [
        [0, root],
        [3, `0x${word(3)}`],
        [5, `0x${word(5)}`],
      ]);
      const l1Options = { l1: { transport: transportOf(l1), rollup } };
      const follower = follow(tree, l2, l1Options);
      for (let i = 0; i < 2; i++) {
        await expect(follower.run({ once: true })).rejects.toMatchObject({
          code: 'ROOT_MISMATCH',
          message: expect.stringContaining('block 3'),
        });
        expect(follower.canServe).toBe(false);
        expect(follower.failure).toMatchObject({ code: 'ROOT_MISMATCH' });
      }
      // Nor does a service serve it, in whatever process.
      const service = await createService({ tree, finality: fixedFinality(0) });
      const ready = await service.fetch(new Request('http://localhost/ready'));
      expect(ready.status).toBe(503);
      const params = [`0x${'11'.repeat(20)}`, [], 'latest'];
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'l2_getProof', params });
      const answer = await service.fetch(
        new Request('http://localhost/v3/', { method: 'POST', body }),
      );
      expect(await answer.json()).toMatchObject({ error: { code: -32603 } });
      // So does one that is begun anew, and one whose genesis is wrong.
      await expect(follow(tree, l2, l1Options).run({ once: true })).rejects.toMatchObject({
        code: 'ROOT_MISMATCH',
      });
      await finalize(l1, [[0, `0x${word(9)}`]]);
      const fresh = await load(l2);
      await expect(follow(fresh, l2, l1Options).run({ once: true })).rejects.toMatchObject({
        code: 'ROOT_MISMATCH',
        message: expect.stringContaining('block 0'),
      });
    },
    patience,
  );

  test('is refused if there is no contract, and is read from the block that L1 has finalized', async () => {
    const [l1, l2] = await Promise.all([start(), start()]);
    await l2.mine();
    const tree = await load(l2);
    const options = { l1: { transport: transportOf(l1), rollup } };
    const run = follow(tree, l2, options).run({ once: true });
    await expect(run).rejects.toMatchObject({
      code: 'BAD_ANSWER',
      message: expect.stringContaining('no contract'),
    });
    await l1.call('anvil_setCode', rollup, rollupCode);
    await finalize(l1, [[1, `0x${word(1)}`]]);
    // What only the newest block of L1 says is not looked at.
    const good = await load(l2);
    await set(l1, `0x${word(281)}`, `0x${word(0)}`);
    await expect(follow(good, l2, options).run({ once: true })).rejects.toMatchObject({
      code: 'ROOT_MISMATCH',
    });
  });
});
