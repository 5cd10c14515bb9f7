/** Final blocks go into the tree in one write: what is told and compared, and what happens if one of them fails. */
import { describe, expect, test } from 'vitest';
import { createFollower, genesisLines, loadStateFile } from '../../../../src/follow/index.js';
import type { Transport } from '../../../../src/rpc/index.js';
import { openStateTree } from '../../../../src/tree/index.js';
import { header } from '../../../support/handNode.js';
import { until } from '../../../support/until.js';

const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}` as const;
const account = `0x${'a1'.repeat(20)}` as const;
const delegation = `0xef0100${'22'.repeat(20)}` as const;

const transport = (call: (method: string, params: never[]) => unknown) =>
  ({
    call: async (method: string, params: never[]) => call(method, params),
  }) as unknown as Transport;

interface Chain {
  readonly head: number;
  readonly trace?: (number: number) => unknown;
  readonly code?: () => unknown;
}

/** A node of blocks that are all final; the second has one transaction if its trace is given. */
const nodeOf = ({ head, trace = () => [], code }: Chain) =>
  transport((method, [tag]) => {
    if (method === 'eth_blockNumber') return `0x${head.toString(16)}`;
    if (method === 'eth_getBlockByNumber') {
      const number = tag === 'finalized' ? head : Number(tag);
      return header(number, code && number === 2 ? { transactions: [word(7)] } : {});
    }
    if (method === 'debug_traceBlockByNumber') return trace(Number(tag));
    return method === 'eth_getCode' ? code?.() : null;
  });

async function load() {
  const tree = await openStateTree({ hash: 'mimc' });
  const changes = [{ address: account, account: { nonce: 1, balance: 5, code: delegation } }];
  await loadStateFile(tree, genesisLines({ number: 0, hash: word(100), changes }));
  return tree;
}

/** L1 has roots of some blocks; the state never changes. @param wrong the block of which it has another root */
function l1Of(root: string, { final, wrong }: { final: number; wrong?: number }) {
  return transport((_, [call]) => {
    const { data } = call as unknown as { data: string };
    if (data.startsWith('0x695378f5')) return word(final);
    const number = Number(`0x${data.slice(10)}`);
    if (number === wrong) return word(0xbad);
    return number % 2 === 0 ? root : word(0);
  });
}

const rollup = `0x${'12'.repeat(20)}` as const;
const rules = { fork: 'shanghai', interval: 1, patience: { tries: 1, delay: 1 } } as const;

describe('the trace of a final block is nonsense', () => {
  const trace = (number: number) => (number === 5 ? 'nonsense' : []);

  test('the blocks before it are compared with L1, and refuted', async () => {
    const tree = await load();
    const l1 = { transport: l1Of(await tree.stateRoot(), { final: 8, wrong: 3 }), rollup };
    const follower = createFollower({ tree, l2: nodeOf({ head: 8, trace }), l1, ...rules });
    await expect(follower.run({ once: true })).rejects.toMatchObject({ code: 'ROOT_MISMATCH' });
    expect(follower.canServe).toBe(false);
    await expect(tree.stateRoot()).rejects.toMatchObject({ code: 'DISTRUSTED' });
  });

  test('the blocks before it are named final and told of', async () => {
    const tree = await load();
    const l1 = { transport: l1Of(await tree.stateRoot(), { final: 8 }), rollup };
    const told: unknown[] = [];
    const follower = createFollower({
      ...{ tree, l2: nodeOf({ head: 8, trace }), l1, ...rules },
      onProgress: ({ block, final }) => told.push([block, final]),
    });
    await expect(follower.run({ once: true })).rejects.toMatchObject({ code: 'BAD_ANSWER' });
    expect(told).toEqual([
      [0, 0],
      [4, 4],
    ]);
    expect(await tree.newestBlock()).toBe(4);
    // L1 is asked about each block, so that each was held until then.
    expect(await tree.newestBlock(3)).toBe(2);
  });
});

test('blocks that were fetched do not wait for a slow trace behind them', async () => {
  const tree = await load();
  let release = () => {};
  const slow = new Promise<unknown>((resolve) => {
    release = () => resolve([]);
  });
  const trace = (number: number) => (number === 30 ? slow : []);
  const told: (number | undefined)[][] = [];
  const follower = createFollower({
    ...{ tree, l2: nodeOf({ head: 40, trace }), ...rules },
    onProgress: ({ block, final }) => told.push([block, final]),
  });
  const running = follower.run({ once: true });
  await until(async () => (await tree.newestBlock()) === 29, 'the blocks before are written');
  release();
  await running;
  expect(told).toEqual([
    [0, 0],
    [29, 0],
    [40, 40],
  ]);
  await expect(tree.stateRoot(28)).rejects.toMatchObject({ code: 'BLOCK_MISSING' });
});

test('a node that owes a code holds no write of the tree up', async () => {
  const tree = await load();
  const trace = (number: number) => {
    const pre = { [account]: { nonce: 1, balance: '0x5', code: delegation } };
    const result = { pre, post: { [account]: { nonce: 2 } } };
    return number === 2 ? [{ txHash: word(7), result }] : [];
  };
  let asked = 0;
  const code = () => {
    asked++;
    return new Promise(() => {});
  };
  const follower = createFollower({ tree, l2: nodeOf({ head: 4, trace, code }), ...rules });
  const controller = new AbortController();
  follower.run({ once: true, signal: controller.signal }).catch(() => {});
  await until(() => asked > 0, 'the node was asked for the code');
  // It would wait for a write under way.
  await expect(tree.close()).resolves.toBeUndefined();
  controller.abort();
});
