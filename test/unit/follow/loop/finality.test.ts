/** A state that is followed on a node that knows no finality: undo is kept, a reorg is followed, and the log says so. */
import { afterEach, describe, expect, test } from 'vitest';
import {
  createFollower,
  type FollowerOptions,
  genesisLines,
  loadStateFile,
} from '../../../../src/follow/index.js';
import { createNodeFinality, keptBlocks } from '../../../../src/follow/loop/finality.js';
import { createTransport, type Transport } from '../../../../src/rpc/index.js';
import { openStateTree, type StateTree } from '../../../../src/tree/index.js';
import { type Anvil, create2, slotInit, startAnvil, store } from '../../../support/anvil.js';
import { genesisAddresses, genesisOf, slots } from '../../../support/chain.js';
import { failures, refusal, status } from '../../../support/finality.js';
import { patience } from '../../../support/runs.js';

const nodes: Anvil[] = [];
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});

async function start(): Promise<Anvil> {
  const node = await startAnvil('--hardfork', 'prague');
  nodes.push(node);
  await node.mine(create2(1, slotInit));
  return node;
}

/** The node, but for what it says of the block that is final. */
function without(node: Anvil, say: () => unknown): Transport {
  const l2 = createTransport({ url: node.url });
  return {
    ...l2,
    call: async (method, params, options) =>
      method === 'eth_getBlockByNumber' && params[0] === 'finalized'
        ? say()
        : l2.call(method, params, options),
  };
}

async function begin(node: Anvil, l2: Transport = createTransport({ url: node.url })) {
  const tree = await openStateTree();
  await loadStateFile(tree, genesisLines(await genesisOf(node, genesisAddresses)));
  const warnings: string[] = [];
  const onWarning = (text: string) => warnings.push(text);
  const options = { tree, l2, fork: 'prague', onWarning } as const;
  const follow = (more: Partial<FollowerOptions> = {}) =>
    createFollower({ ...options, patience: { tries: 2, delay: 1 }, ...more }).run({ once: true });
  return { tree, warnings, follow };
}

async function rootOf(node: Anvil): Promise<string> {
  const { tree, follow } = await begin(node);
  await follow();
  return tree.stateRoot();
}

const isAsTheNode = async (tree: StateTree, node: Anvil) => {
  expect(await tree.newestBlock()).toBe(Number(await node.call('eth_blockNumber')));
  expect(await tree.stateRoot()).toBe(await rootOf(node));
};

const told = /^the L2 node knows no finality: blocks count as final 256 below its newest, /;

describe('a node that knows no finality', () => {
  test.each<[string, () => unknown]>([
    ['null', () => null],
    ['-39001', refusal(-39001)],
    ['-32000', refusal(-32000)],
    ['-32602', refusal(-32602)],
    ['status 400', status(400)],
  ])(
    'but answers %s is followed over reorgs, and the log says so once',
    async (_, say) => {
      const node = await start();
      const { tree, warnings, follow } = await begin(node, without(node, say));
      for (let value = 1; value <= 5; value++) await node.mine(store(slots(1), 1, value));
      await follow();
      for (const depth of [1, 3, 2]) {
        await node.call('anvil_reorg', depth, []);
        await node.mine(store(slots(1), 1, 10 + depth));
        await follow();
        await isAsTheNode(tree, node);
      }
      // Nothing but the genesis, which the caller gave.
      expect(await tree.finalBlock()).toBe(0);
      expect(warnings.filter((text) => told.test(text))).toHaveLength(4);
    },
    patience,
  );

  test(
    'has blocks final by their depth, and a reorg below is refused by name',
    async () => {
      const node = await start();
      const { tree, follow } = await begin(
        node,
        without(node, () => null),
      );
      await node.mine(store(slots(1), 1, 1));
      const early = await node.call('evm_snapshot');
      await node.call('anvil_mine', `0x${(keptBlocks + 20).toString(16)}`);
      await follow();
      const head = Number(await node.call('eth_blockNumber'));
      expect(await tree.finalBlock()).toBe(head - keptBlocks);
      await node.call('anvil_reorg', 200, []);
      await node.mine(store(slots(1), 1, 2));
      await follow();
      await isAsTheNode(tree, node);
      await node.call('evm_revert', early);
      await node.mine(store(slots(1), 1, 3));
      await node.call('anvil_mine', `0x${(keptBlocks + 40).toString(16)}`);
      await expect(follow()).rejects.toMatchObject({ code: 'REORG_TOO_DEEP' });
    },
    patience,
  );

  test.each(failures)('is not one that %s', async (_, say) => {
    const node = await start();
    const { tree, warnings, follow } = await begin(node, without(node, say));
    await expect(follow()).rejects.toMatchObject({ code: 'NODE_FAILED' });
    expect(await tree.newestBlock()).toBe(0);
    expect(warnings.filter((text) => told.test(text))).toEqual([]);
  });

  test('is one thing, and a node that has named a final block before is another', async () => {
    const node = await start();
    let say: () => unknown = () => node.call('eth_getBlockByNumber', '0x1', false);
    const { tree, warnings } = await begin(node);
    const follower = createFollower({
      tree,
      l2: without(node, () => say()),
      fork: 'prague',
      patience: { tries: 2, delay: 1 },
      onWarning: (text) => warnings.push(text),
    });
    await follower.run({ once: true });
    expect(await tree.finalBlock()).toBe(1);
    await node.call('anvil_mine', `0x${(keptBlocks + 10).toString(16)}`);
    say = () => null;
    await follower.run({ once: true });
    expect(await tree.finalBlock()).toBe(1);
    say = refusal(-32000);
    await expect(follower.run({ once: true })).rejects.toMatchObject({ code: 'NODE_FAILED' });
    expect(warnings.filter((text) => told.test(text))).toEqual([]);
  });
});

test('an error that no node answered is passed on, and says nothing of finality', async () => {
  const warnings: string[] = [];
  const fail = async (): Promise<number> => {
    throw new Error('stopped');
  };
  const nodes = { node: { head: fail, finalized: fail }, hasty: { finalized: fail } };
  const { finalized } = createNodeFinality((text) => warnings.push(text), 'the run').of(nodes);
  await expect(finalized()).rejects.toThrow(/^stopped$/);
  expect(warnings).toEqual([]);
});
