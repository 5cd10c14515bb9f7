/** Traces that make value: an account that gave it is in neither side of them. */
import { afterEach, describe, expect, test } from 'vitest';
import {
  createFollower,
  type FollowerOptions,
  genesisLines,
  loadStateFile,
} from '../../../../src/follow/index.js';
import { FollowError } from '../../../../src/follow/node/errors.js';
import { parseReceipts } from '../../../../src/follow/node/gasReceipt.js';
import type { Node } from '../../../../src/follow/node/node.js';
import type { NodeHeader } from '../../../../src/follow/node/system.js';
import { parseTransactionDiffs } from '../../../../src/follow/node/transactionDiff.js';
import { createValueCheck } from '../../../../src/follow/stateDiff/valueLaw.js';
import { createTransport } from '../../../../src/rpc/index.js';
import { type Hex, openStateTree } from '../../../../src/tree/index.js';
import {
  type Anvil,
  brieflyInit,
  create2,
  factory,
  startAnvil,
  word,
} from '../../../support/anvil.js';
import { create2Address, genesisAddresses, genesisOf } from '../../../support/chain.js';
import { type Forge, startForged } from '../../../support/forged.js';
import { patience } from '../../../support/runs.js';

const closing: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((one) => one.close()));
});

/** Init code that destroys itself in its own favour: ADDRESS SELFDESTRUCT. */
const burningInit = '30ff';

const [brief, burning] = [create2Address(9, brieflyInit), create2Address(9, burningInit)];

/** Pays what the contracts of a later transaction, which are gone with it, find at their addresses. */
async function start(...payments: [to: string, value: bigint, init: string][]): Promise<Anvil> {
  const node = await startAnvil('--hardfork', 'prague');
  closing.push(node);
  const pay = payments.map(([to, value]) => ({ to, value }));
  await node.mine(...pay, ...payments.map(([, , init]) => create2(9, init)));
  return node;
}

/** Leaves accounts out of all traces but those of the payments, as often as it is asked. */
function leavingOut(payments: number, times = Number.POSITIVE_INFINITY): Forge {
  let asked = 0;
  return (method, _, result) => {
    if (method !== 'debug_traceBlockByNumber' || asked++ >= times) return result;
    for (const { result: diff } of result.slice(payments)) {
      for (const side of [diff.pre, diff.post]) {
        delete side[brief];
        delete side[burning];
      }
    }
    return result;
  };
}

async function follow(node: Anvil, forge: Forge, more: Partial<FollowerOptions> = {}) {
  const server = await startForged(node, forge);
  closing.push(server);
  const tree = await openStateTree();
  await loadStateFile(tree, genesisLines(await genesisOf(node, genesisAddresses)));
  const l2 = createTransport({ url: server.url });
  const options = { tree, l2, fork: 'prague', patience: { tries: 1, delay: 1 }, ...more } as const;
  await createFollower(options).run({ once: true });
  return (await tree.read(factory)).account?.balance;
}

/** @param value all of it, or a text if the fees of the transaction hide a part */
const made = (i: number, value: bigint | string) => ({
  name: 'FollowError',
  code: 'BAD_TRACE',
  message: expect.stringMatching(
    new RegExp(
      `^trace ${i} of block 1, of transaction 0x[0-9a-f]{64}, makes at least ${value} wei: .*name it \\(mints: true\\)`,
    ),
  ),
});

describe('an account that is funded, then created and destroyed within a block', () => {
  test.each([10n, 1n, 10n ** 18n])(
    'is missed if a trace leaves its %s wei out',
    async (value) => {
      const node = await start([brief, value, brieflyInit]);
      expect(await follow(node, (_method, _params, result) => result)).toBe(value);
      await expect(follow(node, leavingOut(1))).rejects.toMatchObject(
        made(1, value < 10n ** 9n ? value : '9\\d{17}'),
      );
      // The node comes to its senses, or another one behind its URL answers.
      expect(await follow(node, leavingOut(1, 1))).toBe(value);
    },
    patience,
  );

  test(
    'is missed beside one that burns what it has, and without receipts only in the whole block',
    async () => {
      const node = await start([brief, 10n, brieflyInit], [burning, 7n, burningInit]);
      expect(await follow(node, (_method, _params, result) => result)).toBe(10n);
      await expect(follow(node, leavingOut(2))).rejects.toMatchObject(made(2, 10n));
      const withoutReceipts =
        (forge: Forge): Forge =>
        (method, params, result) =>
          method === 'eth_getBlockReceipts' ? undefined : forge(method, params, result);
      expect(
        await follow(
          node,
          withoutReceipts((_method, _params, result) => result),
        ),
      ).toBe(10n);
      await expect(follow(node, withoutReceipts(leavingOut(2)))).rejects.toMatchObject({
        code: 'BAD_TRACE',
        message: expect.stringMatching(/^the traces of block 1 make at least 10 wei: /),
      });
    },
    patience,
  );

  test(
    'is missed though another transaction of the block burns as much',
    async () => {
      const node = await start([brief, 10n, brieflyInit], [burning, 10n, burningInit]);
      const leavingOne: Forge = (method, _, result) => {
        if (method !== 'debug_traceBlockByNumber') return result;
        for (const side of ['pre', 'post']) delete result[2].result[side][brief];
        return result;
      };
      await expect(follow(node, leavingOne)).rejects.toMatchObject(made(2, 10n));
    },
    patience,
  );

  test(
    'is not looked for on a chain that mints',
    async () => {
      const node = await start([brief, 10n, brieflyInit]);
      expect(await follow(node, leavingOut(1), { mints: true })).toBe(10n);
    },
    patience,
  );
});

describe('a block', () => {
  const [a, b]: Hex[] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`];
  const transactions = [`0x${word(1)}`, `0x${word(2)}`] as const;
  const header = { number: 5, transactions, baseFee: 3n, gasUsed: 7n, blobGasUsed: 0n };
  const headerOf = (more: Partial<NodeHeader> = {}) => ({ ...header, ...more }) as NodeHeader;
  const traces = (...moves: [from: number, to: number, more?: number][]) =>
    parseTransactionDiffs(
      moves.map(([from, to, more = 0]) => ({
        result: {
          pre: {
            [a as string]: { balance: `0x${from.toString(16)}` },
            [b as string]: { balance: '0x1' },
          },
          // The second account has what it had before, and is not listed with a balance.
          post: {
            [a as string]: { balance: `0x${to.toString(16)}` },
            [b as string]: more === 0 ? { nonce: 1 } : { balance: `0x${(1 + more).toString(16)}` },
          },
        },
      })),
      transactions.slice(0, moves.length),
    );

  /** @param gas and price of blobs, of each transaction; undefined if the node has no receipts */
  async function check(
    diffs: ReturnType<typeof parseTransactionDiffs>,
    receipts: readonly [gasUsed: bigint, blobFee: bigint][] | undefined,
    more: Partial<NodeHeader> = {},
  ) {
    let asked = 0;
    const node: Pick<Node, 'receipts'> = {
      async receipts() {
        asked++;
        if (receipts === undefined) throw new Error('none');
        return receipts.map(([gasUsed, blobFee]) => ({ gasUsed, blobFee }));
      },
    };
    await createValueCheck(node)(headerOf(more), diffs);
    return asked;
  }

  test('of one transaction that comes out even needs no receipts, nor does one that burns nothing', async () => {
    expect(await check(traces([100, 79]), undefined)).toBe(0);
    expect(await check(traces([100, 60, 30]), undefined, { baseFee: 0n })).toBe(0);
    expect(await check(traces(), undefined, { gasUsed: 0n })).toBe(0);
  });

  test('that makes value in one trace and burns it in another is refused by that trace', async () => {
    // Gas of 4 and 3 at 3 wei: 12 and 9 are burnt.
    const receipts = [
      [4n, 0n],
      [3n, 0n],
    ] as [bigint, bigint][];
    expect(await check(traces([100, 80], [80, 71]), receipts)).toBe(1);
    // As much is burnt in one as is made in the other: the whole shows nothing.
    expect(await check(traces([100, 88], [88, 79]), receipts)).toBe(1);
    await expect(check(traces([100, 87], [87, 79]), receipts)).rejects.toThrow(
      /^trace 1 of block 5, .* makes at least 1 wei/,
    );
    await expect(check(traces([100, 80], [80, 72]), receipts)).rejects.toMatchObject({
      code: 'BAD_TRACE',
      message: expect.stringMatching(/^trace 1 of block 5, .* makes at least 1 wei/),
    });
    await expect(check(traces([100, 60], [60, 60, 1]), undefined)).rejects.toThrow(
      /^trace 1 of block 5, .* makes at least 1 wei/,
    );
  });

  test('of a node that refuses receipts is held against the sum, and the node is not asked each time', async () => {
    let asked = 0;
    const checkValue = createValueCheck({
      async receipts() {
        asked++;
        const cause = { code: 'SERVER_ERROR', serverCode: -32000 };
        throw new FollowError('NODE_FAILED', 'no receipts', { cause });
      },
    });
    const even = traces([100, 88], [88, 79]);
    for (let block = 0; block <= 1000; block++) await checkValue(headerOf(), even);
    expect(asked).toBe(1);
    await checkValue(headerOf(), even);
    expect(asked).toBe(2);
    await expect(checkValue(headerOf(), traces([100, 80], [80, 80, 1]))).rejects.toThrow(
      /makes at least 1 wei/,
    );
    await expect(checkValue(headerOf(), traces([100, 90], [90, 80]))).rejects.toThrow(
      /^the traces of block 5 make at least 1 wei/,
    );
    expect(asked).toBe(3);
  });

  test('burns what its blobs cost, which only receipts say', async () => {
    const more = { blobGasUsed: 1n };
    const fees = (blobFee: bigint) => [[7n, blobFee]] as [bigint, bigint][];
    expect(await check(traces([100, 69]), fees(10n), more)).toBe(1);
    await expect(check(traces([100, 69]), fees(11n), more)).rejects.toThrow(/makes at least 1 wei/);
    expect(await check(traces([100, 90]), fees(10n), { ...more, baseFee: 0n })).toBe(1);
    await expect(check(traces([100, 90]), fees(11n), { ...more, baseFee: 0n })).rejects.toThrow(
      /makes at least 1 wei/,
    );
  });

  test('that has too much is refused whatever its receipts say', async () => {
    await expect(check(traces([100, 80]), [[1n, 0n]])).rejects.toThrow(
      /^the traces of block 5 make at least 1 wei/,
    );
  });
});

test('receipts are those of the transactions, each in its place', () => {
  const transactions = [`0x${word(1)}`, `0x${word(2)}`] as const;
  const [first, second] = transactions.map((transactionHash) => ({
    transactionHash,
    gasUsed: '0x5',
  }));
  const blobs = { ...second, blobGasUsed: '0x20000', blobGasPrice: '0x3' };
  expect(parseReceipts([first, blobs], transactions)).toEqual([
    { gasUsed: 5n, blobFee: 0n },
    { gasUsed: 5n, blobFee: 0x60000n },
  ]);
  const wrongs: [unknown, RegExp][] = [
    [[first], /"result" expected one receipt for each of 2 transactions/],
    [[first, second, second], /"result" expected one receipt for each of 2 transactions/],
    [[second, first], /"result\[0\].transactionHash" expected 0x0+1$/],
    [[first, { ...second, gasUsed: null }], /"result\[1\].gasUsed" expected/],
    [[first, { ...blobs, blobGasUsed: 'x' }], /"result\[1\].blobGasUsed" expected/],
    [null, /"result" expected/],
  ];
  for (const [receipts, message] of wrongs) {
    expect(() => parseReceipts(receipts, transactions)).toThrow(message);
  }
});
