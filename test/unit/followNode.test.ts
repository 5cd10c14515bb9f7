/** A follower beside a node that is made by hand: wrong options, what ends a run, and what does not. */
import { describe, expect, test } from 'vitest';
import { heldContract } from '../../src/follow/heldContract.js';
import {
  createFollower,
  type FollowerOptions,
  genesisLines,
  loadStateFile,
  type StateBlock,
} from '../../src/follow/index.js';
import { RpcError, type Transport } from '../../src/rpc/index.js';
import { type Hex, openStateTree } from '../../src/tree/index.js';
import { beaconRoots } from '../support/chain.js';
import { header } from '../support/handNode.js';

const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;

type Answers = Record<string, (params: any) => unknown>;

/** A chain of two blocks, which are final. */
const numberOf = (tag: string) => (tag === 'finalized' ? 2 : Number(tag));
const answers: Answers = {
  eth_blockNumber: () => '0x2',
  eth_getBlockByNumber: ([tag]) => header(numberOf(tag)),
  debug_traceBlockByNumber: () => [],
  eth_getProof: () => null,
};

async function open(
  changed: Answers = {},
  genesis: Partial<StateBlock> = {},
  more: Partial<FollowerOptions> = {},
) {
  const l2: Transport = {
    call: async (method, params) => ({ ...answers, ...changed })[method]?.(params),
  };
  const tree = await openStateTree({ hash: 'mimc' });
  await loadStateFile(tree, genesisLines({ number: 0, hash: word(100), changes: [], ...genesis }));
  const patience = { tries: 1, delay: 1 };
  const follower = createFollower({ tree, l2, fork: 'shanghai', interval: 1, patience, ...more });
  return { tree, follower };
}

describe('options', () => {
  const l1 = { transport: { call: async () => null }, rollup: `0x${'12'.repeat(20)}` as Hex };

  test.each<[string, Partial<FollowerOptions>, string]>([
    ['a fork of no name', { fork: 'berlin' as never }, '"fork" expected one of london, paris'],
    ['a short address of the rollup', { l1: { ...l1, rollup: '0x12' } }, '"l1.rollup" expected'],
  ])('with %s are refused at once', async (_, more, message) => {
    const { tree } = await open();
    const l2 = { call: async () => null };
    const create = () => createFollower({ tree, l2, fork: 'prague', ...more });
    expect(create).toThrow(RangeError);
    expect(create).toThrow(message);
  });

  test('with an address of the rollup are taken', async () => {
    const { follower } = await open({}, {}, { l1 });
    expect(follower.canServe).toBe(true);
  });
});

describe('a run', () => {
  test('is the only one at a time', async () => {
    const { tree, follower } = await open();
    const first = follower.run({ once: true });
    await expect(follower.run({ once: true })).rejects.toThrow('the follower is running already');
    await first;
    expect(await tree.newestBlock()).toBe(2);
    // It may run again once it has ended.
    await follower.run({ once: true });
  });

  test('begins at a genesis without a hash', async () => {
    const { tree, follower } = await open({}, { hash: undefined as never });
    await follower.run({ once: true });
    expect([await tree.newestBlock(), await tree.blockHash(0)]).toEqual([2, undefined]);
  });

  test('asks again for a block that the node has lost for a moment', async () => {
    let asked = 0;
    const { tree, follower } = await open({
      eth_getBlockByNumber: ([tag]) =>
        tag === '0x2' && asked++ === 0 ? null : header(numberOf(tag)),
    });
    await follower.run({ once: true });
    expect(await tree.newestBlock()).toBe(2);
    expect(asked).toBeGreaterThan(1);
  });

  test('that ends because a node is away while the genesis is compared says nothing against the state', async () => {
    const { tree, follower } = await open({
      eth_getProof: () => {
        throw new RpcError('NETWORK', 'eth_getProof', 'no answer');
      },
    });
    await expect(follower.run({ once: true })).rejects.toMatchObject({ code: 'NODE_FAILED' });
    expect(await tree.newestBlock()).toBe(0);
    expect(follower.canServe).toBe(true);
  });

  test('ends for good once another follower finds the state to be wrong', async () => {
    const opened = await open({
      debug_traceBlockByNumber: async () => {
        await opened.tree.distrust('another root on L1');
        return [];
      },
    });
    await expect(opened.follower.run({ once: true })).rejects.toMatchObject({
      name: 'FollowError',
      code: 'ROOT_MISMATCH',
      message: expect.stringContaining('another root on L1'),
    });
    expect(opened.follower.canServe).toBe(false);
  });

  test('ends with what the tree says of a value that it cannot hold', async () => {
    const account = { balance: `0x${'f'.repeat(64)}` };
    const post = { [`0x${'aa'.repeat(20)}`]: account };
    const answers = {
      eth_getBlockByNumber: ([tag]: any) => header(numberOf(tag), { transactions: [word(1)] }),
      debug_traceBlockByNumber: () => [{ txHash: word(1), result: { pre: {}, post } }],
    };
    const { tree, follower } = await open(answers, {}, { mints: true });
    // No more than the field of this hash family.
    await expect(follower.run({ once: true })).rejects.toThrow(RangeError);
    expect(await tree.newestBlock()).toBe(0);
  });
});

test('the block writes to a contract alone, not to an address that only has a balance', async () => {
  const key = word(3);
  const holding = async (account: object) => {
    const change = { address: beaconRoots, account: { nonce: 1n, balance: 5n, ...account } };
    const { tree } = await open({}, { changes: [change] });
    return heldContract(tree, beaconRoots, [key]);
  };
  expect(await holding({})).toBeUndefined();
  expect(await holding({ code: '0x6001' })).toEqual({
    account: { nonce: 1n, balance: 5n, code: undefined },
    slots: [word(0)],
  });
});
