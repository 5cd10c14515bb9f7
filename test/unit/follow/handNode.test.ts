/** A follower beside a node that is made by hand: wrong options, what ends a run, and what does not. */

import { describe, expect, test } from 'vitest';
import {
  createFollower,
  type FollowerOptions,
  genesisLines,
  loadStateFile,
  type StateBlock,
} from '../../../src/follow/index.js';
import { heldContract } from '../../../src/follow/stateDiff/heldContract.js';
import { RpcError, type Transport } from '../../../src/rpc/index.js';
import { type Hex, openStateTree } from '../../../src/tree/index.js';
import type { Params } from '../../support/answers.js';
import { beaconRoots } from '../../support/chain.js';
import { header } from '../../support/handNode.js';

const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;

type Answers = Record<string, (params: Params) => unknown>;

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
    call: async (method, params) => ({ ...answers, ...changed })[method]?.(params as Params),
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
      eth_getBlockByNumber: ([tag]: Params) => header(numberOf(tag), { transactions: [word(1)] }),
      debug_traceBlockByNumber: () => [{ txHash: word(1), result: { pre: {}, post } }],
    };
    const { tree, follower } = await open(answers, {}, { mints: true });
    // No more than the field of this hash family.
    await expect(follower.run({ once: true })).rejects.toThrow(RangeError);
    expect(await tree.newestBlock()).toBe(0);
  });
});

describe('traces', () => {
  const transactions = [word(1), word(2)];
  const empty = { pre: {}, post: {} };
  const traced = (second: object) => ({
    eth_getBlockByNumber: ([tag]: Params) => header(numberOf(tag), { transactions }),
    debug_traceBlockByNumber: () => [
      { txHash: word(1), result: empty },
      { txHash: word(2), ...second },
    ],
  });

  test('are asked for with a time in seconds, which geth takes for each transaction', async () => {
    const asked: unknown[] = [];
    const tracer = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } };
    for (const more of [{}, { traceTimeout: 7000 }, { traceTimeout: 1500 }]) {
      const { follower } = await open(
        { debug_traceBlockByNumber: (params) => asked.push(params) && [] },
        {},
        more,
      );
      await follower.run({ once: true });
    }
    expect(asked).toEqual(
      ['120s', '7s', '2s'].flatMap((timeout) =>
        ['0x1', '0x2'].map((block) => [block, { ...tracer, timeout }]),
      ),
    );
  });

  test('that ran out of time are asked for again, with the words of the node', async () => {
    const trace = traced({ result: empty });
    const asked = new Map<string, number>();
    const late = {
      ...trace,
      debug_traceBlockByNumber: ([tag]: Params) => {
        const times = (asked.get(tag) ?? 0) + 1;
        asked.set(tag, times);
        if (times === 3) return trace.debug_traceBlockByNumber();
        return [
          { txHash: word(1), error: 'execution timeout' },
          { txHash: word(2), result: empty },
        ];
      },
    };
    const { tree, follower } = await open(late, {}, { patience: { tries: 3, delay: 1 } });
    await follower.run({ once: true });
    expect([await tree.newestBlock(), [...asked]]).toEqual([
      2,
      [
        ['0x1', 3],
        ['0x2', 3],
      ],
    ]);
  });

  test.each([
    ['execution timeout', '"execution timeout"'],
    ['a\nb\u001b[2J\u202ec\u009b"', String.raw`"a\nb\u001b[2J\u202ec\u009b\""`],
    ['x'.repeat(5000), `"${'x'.repeat(300)}"`],
    [{ code: -32000, message: 'late' }, String.raw`"{\"code\":-32000,\"message\":\"late\"}"`],
    ['', '""'],
  ])('that failed say why: %j', async (error, words) => {
    const { tree, follower } = await open(
      traced({ error }),
      {},
      { patience: { tries: 2, delay: 1 } },
    );
    await expect(follower.run({ once: true })).rejects.toMatchObject({
      name: 'FollowError',
      code: 'NODE_FAILED',
      message: `the L2 node does not answer: debug_traceBlockByNumber: "result[1].result" expected a trace, but the node says ${words} (SERVER_ERROR) (asked 2 times) (NODE_FAILED)`,
    });
    expect(await tree.newestBlock()).toBe(0);
  });

  test.each<[string, object, RegExp]>([
    [
      'steps',
      { result: { gas: 21000, failed: false, structLogs: [] } },
      /the steps of the EVM: the node ignores "tracer"; take a node/,
    ],
    [
      'steps alone',
      { gas: 21000, structLogs: [] },
      /"result\[1\]" holds the steps of the EVM: the node ignores "tracer"/,
    ],
    [
      'calls',
      { result: { from: `0x${'11'.repeat(20)}`, gasUsed: '0x1', type: 'CALL' } },
      /calls: the node ignores "tracer"/,
    ],
    ['a list of calls', { result: [{ action: {} }] }, /is a list: the node ignores "tracer"/],
    [
      'accounts',
      { result: { [`0x${'aA'.repeat(20)}`]: { balance: '0x1' } } },
      /accounts without "pre" and "post": the node ignores "diffMode"; take a node/,
    ],
    ['one side', { result: { pre: {} } }, /"result\[1\].result.post" expected an object/],
    ['nothing', { result: {} }, /"result\[1\].result.pre" expected an object/],
    [
      'an error that is null',
      { error: null, result: null },
      /"result\[1\].result" expected an object/,
    ],
  ])('that are %s name what the node ignores', async (_, second, message) => {
    const { follower } = await open(traced(second));
    await expect(follower.run({ once: true })).rejects.toMatchObject({
      code: 'BAD_ANSWER',
      message: expect.stringMatching(message),
    });
  });
});

test('receipts are asked for if a block that burns does not come out even, and may be missing', async () => {
  const a = `0x${'aa'.repeat(20)}`;
  const block = { transactions: [word(1)], baseFeePerGas: '0x2', gasUsed: '0x5' };
  const spent = (post: string) => ({
    eth_getBlockByNumber: ([tag]: Params) => header(numberOf(tag), Number(tag) === 1 ? block : {}),
    debug_traceBlockByNumber: ([tag]: Params) =>
      Number(tag) === 1
        ? [{ result: { pre: { [a]: { balance: '0x64' } }, post: { [a]: { balance: post } } } }]
        : [],
  });
  const changes = [{ address: a as Hex, account: { nonce: 0n, balance: 100n } }];
  const receipt = { transactionHash: word(1), gasUsed: '0x5' };
  const follow = async (post: string, receipts: unknown) => {
    let asked = 0;
    const answering = { eth_getBlockReceipts: () => ++asked && receipts };
    const { tree, follower } = await open({ ...spent(post), ...answering }, { changes });
    await follower.run({ once: true });
    return [await tree.newestBlock(), asked];
  };
  expect(await follow('0x5a', undefined)).toEqual([2, 0]);
  for (const receipts of [
    [receipt],
    undefined,
    null,
    [],
    [{ ...receipt, transactionHash: word(2) }],
    [{ ...receipt, gasUsed: undefined }],
    [{ ...receipt, blobGasUsed: '0x1', blobGasPrice: '0x1' }],
  ]) {
    expect(await follow('0x59', receipts)).toEqual([2, 1]);
  }
  for (const more of [
    { gasUsed: '0x6' },
    { blobGasUsed: '0x2', blobGasPrice: '0x1' },
    { blobGasUsed: '0x1', blobGasPrice: '0x2' },
  ]) {
    // The receipts of another block, or fees that no trace shows.
    await expect(follow('0x59', [{ ...receipt, ...more }])).rejects.toMatchObject({
      code: 'BAD_TRACE',
    });
  }
  await expect(follow('0x5b', null)).rejects.toMatchObject({ code: 'BAD_TRACE' });
});

test('an answer is bounded by its question', async () => {
  const bounds = new Map<string, Set<number | undefined>>();
  const address: Hex = `0x${'aa'.repeat(20)}`;
  const state: Answers = {
    eth_getTransactionCount: () => '0x0',
    eth_getBalance: () => '0x5',
    eth_getCode: () => '0x',
    eth_getStorageAt: () => word(1),
  };
  const genesis = {
    number: 0,
    hash: word(100),
    changes: [
      { address, account: { nonce: 0n, balance: 5n }, storage: [{ key: word(1), value: word(1) }] },
    ],
  };
  const l2: Transport = {
    async call(method, params, options) {
      bounds.set(method, (bounds.get(method) ?? new Set()).add(options?.maxBytes));
      return (state[method] ?? answers[method])?.(params as Params);
    },
  };
  const tree = await openStateTree();
  await loadStateFile(tree, genesisLines(genesis), { l2, patience: { tries: 1, delay: 1 } });
  await createFollower({ tree, l2, fork: 'shanghai' }).run({ once: true });
  const mebibyte = 2 ** 20;
  expect(Object.fromEntries([...bounds].map(([method, [bound]]) => [method, bound]))).toEqual({
    debug_traceBlockByNumber: 512 * mebibyte,
    eth_blockNumber: mebibyte / 16,
    eth_getBlockByNumber: 16 * mebibyte,
    eth_getProof: 4 * mebibyte,
    eth_getTransactionCount: mebibyte / 16,
    eth_getBalance: mebibyte / 16,
    eth_getStorageAt: mebibyte / 16,
    eth_getCode: 4 * mebibyte,
  });
  expect([...bounds.values()].map(({ size }) => size)).toEqual([...bounds].map(() => 1));
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
