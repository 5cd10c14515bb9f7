/** Wrong options and arguments, which no server is asked about; and when another anchor is looked for. */
import { expect, test } from 'vitest';
import { networks } from '../../../../src/anchor/index.js';
import { createHistory, type History } from '../../../../src/history/index.js';
import { RpcError } from '../../../../src/rpc/index.js';

const network = networks.mainnet;
const word = `0x${'ab'.repeat(32)}` as const;
const anchor = {
  ...{
    l2ChainId: network.l2ChainId,
    l2BlockNumber: 100,
    stateRoot: `0x${'01'.repeat(32)}` as const,
    hash: network.hash,
  },
  ...{ l1: { chainId: network.l1ChainId, blockNumber: 9, blockHash: word }, how: 'given' as const },
};
const l2 = {
  call: async (method: string): Promise<unknown> => {
    throw new Error(`asked ${method}`);
  },
};
const l1 = l2;
const open = (options = {}): History => createHistory({ l2, network, anchor, ...options } as never);

/** A TypeError or RangeError that begins with the name. */
async function expectWrong(call: () => unknown, name: string): Promise<void> {
  const error = await Promise.resolve()
    .then(call)
    .catch((error) => error);
  expect(error instanceof TypeError || error instanceof RangeError, String(error)).toBe(true);
  expect((error as Error).message).toContain(`"${name}`);
}

test('options of another kind, or that contradict one another', async () => {
  for (const [options, name] of [
    [{ l2: {} }, 'l2'],
    [{ l2: undefined }, 'l2'],
    [{ maxBlocks: '9' }, 'maxBlocks'],
    [{ maxBlocks: -1 }, 'maxBlocks'],
    [{ maxRange: 0 }, 'maxRange'],
    [{ maxRange: 1.5 }, 'maxRange'],
    [{ l1 }, 'anchor'],
    [{ refresh: 1 }, 'anchor'],
    [{ anchor: undefined }, 'anchor'],
  ] as const) {
    await expectWrong(() => open(options), name);
  }
  for (const refresh of [-1, Number.NaN, '5', 5n, null]) {
    await expectWrong(() => createHistory({ l2, l1, network, refresh } as never), 'refresh');
  }
  await expectWrong(() => createHistory({ l2, network } as never), 'l1');
  expect(() => open({ maxBlocks: Infinity, maxRange: Infinity })).not.toThrow();
});

test('arguments that name no block, no transaction or no range', async () => {
  const history = open({ maxRange: 10 });
  for (const block of [-1, 1.5, -1n, 2n ** 53n, 'pending', '0x', `${word}00`]) {
    await expectWrong(() => history.header(block as never), 'block');
  }
  for (const block of [{}, null, true, Symbol.iterator]) {
    const error = await history.header(block as never).catch((error) => error);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(/^"block" expected a number, a hash or a tag/);
  }
  await expectWrong(() => history.transaction('0x12' as never), 'hash');
  await expectWrong(() => history.receipt(7 as never), 'hash');
  await expectWrong(() => history.block(1, { transactions: 'all' as never }), 'transactions');
  for (const [question, name] of [
    [{ blockHash: word, fromBlock: 1 }, 'blockHash'],
    [{ blockHash: word, toBlock: 1 }, 'blockHash'],
    [{ blockHash: '0x1' }, 'blockHash'],
    [{ fromBlock: word }, 'fromBlock'],
    [{ toBlock: word }, 'toBlock'],
    [{ fromBlock: 3, toBlock: 2 }, 'fromBlock'],
    [{ topics: 7 }, 'topics'],
  ] as const) {
    await expectWrong(() => history.logs(question as never), name);
  }
  await expect(history.logs({ fromBlock: 1, toBlock: 11 })).rejects.toMatchObject({
    code: 'RANGE_TOO_WIDE',
  });
  // What is right is asked for.
  for (const block of [1, 2n, '0x3', 'latest'] as const) {
    await expect(history.header(block)).rejects.toThrow(/^asked/);
  }
});

test('another anchor is looked for if the server has dropped the state, and used if it is newer', async () => {
  async function asked(failure: Error, numbers: readonly number[]) {
    const count = { anchors: 0, proofs: 0 };
    const history = createHistory({
      network,
      l2: {
        call: async () => {
          count.proofs++;
          throw failure;
        },
      },
      anchor: async () => ({ ...anchor, l2BlockNumber: numbers[count.anchors++] as number }),
    });
    await expect(history.header(1)).rejects.toMatchObject({ code: (failure as RpcError).code });
    return count;
  }
  const method = network.method;
  const dropped = new RpcError('BLOCK_NOT_HELD', method, 'gone');
  const other = new RpcError('NOT_JSON', method, 'no JSON');
  const { proofs } = await asked(other, [100]);
  expect(await asked(other, [100])).toEqual({ anchors: 1, proofs });
  expect(await asked(dropped, [100, 100])).toEqual({ anchors: 2, proofs });
  expect(await asked(dropped, [100, 120])).toEqual({ anchors: 2, proofs: 2 * proofs });
});
