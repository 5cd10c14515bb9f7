/** Blocks of earlier forks, of a real node; and blocks that no node makes, whose headers ethereumjs hashed. */
import { createBlock, createBlockHeader, genWithdrawalsTrieRoot } from '@ethereumjs/block';
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { createWithdrawal } from '@ethereumjs/util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnchoredRoot, givenAnchor, networks } from '../../../../src/anchor/index.js';
import type { Hex } from '../../../../src/bytes.js';
import { type HistoryView, openViews } from '../../../../src/history/client/view.js';
import { type Work, whileAsked } from '../../../../src/history/client/work.js';
import { checkFilter } from '../../../../src/history/verify/filter.js';
import { createTransport } from '../../../../src/rpc/index.js';
import { type Anvil, accounts, startAnvil, word } from '../../../support/anvil.js';
import { toHex } from '../../../support/hex.js';
import { receiptOf, transactionOf } from '../../../support/normalised.js';
import { patience, type Wire } from '../../../support/runs.js';

/** Emits a log of the topic 1 (PUSH1 1, PUSH1 0, PUSH1 0, LOG1, STOP): London has no PUSH0. */
const emitter = '0x00000000000000000000000000000000000e7117';

let node: Anvil;
/** Blocks of the node with one transaction, with two, and with none. */
const blocks: Wire[] = [];
const receipts: Wire[][] = [];
const quantity = (number: number) => `0x${number.toString(16)}`;

beforeAll(async () => {
  node = await startAnvil('--hardfork', 'london');
  await node.call('anvil_setCode', emitter, '0x600160006000a100');
  const emit = { to: emitter };
  await node.mine(emit);
  await node.mine({ to: accounts[1], value: 1n }, emit);
  await node.mine();
  for (let n = 0; n <= 3; n++) {
    blocks.push(await node.call('eth_getBlockByNumber', quantity(n), true));
    receipts.push(await node.call('eth_getBlockReceipts', quantity(n)));
  }
}, patience);
afterAll(() => node.close());

/** What is proven of a block, whose hash the state names. */
function viewOf(
  hash: string,
  { number, url, fetch }: Parameters<typeof createTransport>[0] & { number: number },
) {
  return openViews({
    l2: createTransport({ url, ...(fetch && { fetch }) }),
    readSlots: async () => [hash as `0x${string}`],
    maxBlocks: 0,
    maxRange: 1,
  })({ l2BlockNumber: number + 1, stateRoot: `0x${word(1)}`, hash: 'poseidon2' } as AnchoredRoot);
}
const ask = <T>(question: (work: Work) => Promise<T>) => whileAsked(undefined, question);
const logsOf = (view: HistoryView) =>
  ask((work) =>
    view.logs(
      { filter: checkFilter({ address: emitter }), range: { from: undefined, to: undefined } },
      work,
    ),
  );

test('blocks without withdrawals are those of the node, and an empty one is asked for once', async () => {
  for (const [number, block] of blocks.entries()) {
    if (number === 0) continue;
    let asked = 0;
    const view = viewOf(block.hash, {
      number,
      url: node.url,
      fetch: (url, init) => {
        asked++;
        return fetch(url, init);
      },
    });
    const { totalDifficulty: _, ...whole } = block;
    expect(whole).not.toHaveProperty('withdrawals');
    const expected = { ...whole, transactions: whole.transactions.map(transactionOf) };
    expect(await ask((work) => view.block({ number }, true, work))).toEqual(expected);
    expect(await ask((work) => view.receipts({ number }, work))).toEqual(
      receipts[number]?.map(receiptOf),
    );
    const logs = await node.call('eth_getLogs', { blockHash: block.hash, address: emitter });
    expect(logs).toHaveLength(number < 3 ? 1 : 0);
    expect(await logsOf(view)).toEqual(logs);
    expect(asked).toBe(block.transactions.length === 0 ? 1 : 3);
  }
});

/** What a server would answer of a block. */
interface Answers {
  readonly header: string;
  readonly body: unknown;
  readonly receipts: unknown;
  /** Where it says that a transaction stands. */
  readonly number: number;
}

/** A server that holds one block. */
const serve =
  ({ header, body, receipts, number }: Answers): typeof fetch =>
  async (_url, init) => {
    const { id, method, params } = JSON.parse(String(init?.body));
    const results: Record<string, unknown> = {
      eth_getBlockByNumber: params[1] === true ? body : header,
      eth_getBlockReceipts: receipts,
      eth_getTransactionByHash: { blockNumber: quantity(number) },
    };
    return Response.json({ jsonrpc: '2.0', id, result: results[method] });
  };

const commonOf = (hardfork: Hardfork) =>
  createCustomCommon({ chainId: 31337 }, Mainnet, { hardfork });
const headerOf = (members: object) =>
  createBlockHeader(
    { number: 9, gasLimit: 30_000_000, gasUsed: 90_000, baseFeePerGas: 7, ...members },
    { common: commonOf(Hardfork.London), setHardfork: false, skipConsensusFormatValidation: true },
  );

/** A block of the transactions of one block of the node, and the receipts of another. */
function mixed(transactionsAt: number, receiptsAt: number): HistoryView {
  const { transactions, transactionsRoot } = blocks[transactionsAt];
  const { receiptsRoot, logsBloom } = blocks[receiptsAt];
  const header = headerOf({
    transactionsTrie: transactionsRoot,
    receiptTrie: receiptsRoot,
    logsBloom,
  });
  const answers = {
    header: toHex(header.serialize()),
    body: { transactions },
    receipts: receipts[receiptsAt],
    number: 9,
  };
  return viewOf(toHex(header.hash()), {
    number: 9,
    url: 'http://127.0.0.1',
    fetch: serve(answers),
  });
}

test('a block that has not one receipt for each transaction is refused, though its header holds', async () => {
  for (const [transactionsAt, receiptsAt] of [
    [1, 2],
    [2, 1],
    [3, 1],
    [2, 3],
  ] as const) {
    const view = mixed(transactionsAt, receiptsAt);
    const refusal = { name: 'HistoryError', code: 'WRONG_RECEIPTS' };
    await expect(ask((work) => view.receipts({ number: 9 }, work))).rejects.toMatchObject(refusal);
    for (const { hash } of blocks[transactionsAt].transactions) {
      await expect(ask((work) => view.receipt(hash, work))).rejects.toMatchObject(refusal);
      expect(await ask((work) => view.transaction(hash, work))).toMatchObject({ hash });
    }
    // A block without receipts has no logs, whatever else it has.
    if (receiptsAt === 3) expect(await logsOf(view)).toEqual([]);
    else await expect(logsOf(view)).rejects.toMatchObject(refusal);
  }
  // The same without a mixture.
  const view = mixed(2, 2);
  expect(await ask((work) => view.receipts({ number: 9 }, work))).toHaveLength(2);
  expect(await logsOf(view)).toHaveLength(1);
});

test('a header of another number than the state says is refused', async () => {
  const header = headerOf({});
  const answers = { header: toHex(header.serialize()), body: null, receipts: null, number: 9 };
  const fetch = serve(answers);
  const view = viewOf(toHex(header.hash()), { number: 10, url: 'http://127.0.0.1', fetch });
  await expect(ask((work) => view.header({ number: 10 }, work))).rejects.toMatchObject({
    code: 'WRONG_HEADER',
    reason: expect.stringContaining('is of block 9, and not of 10'),
  });
});

test('a block that names uncles is refused, and its header is not', async () => {
  const uncles = `0x${'ab'.repeat(32)}` as const;
  const header = headerOf({ uncleHash: uncles });
  const answers = { header: toHex(header.serialize()), body: null, receipts: null, number: 9 };
  const view = viewOf(toHex(header.hash()), {
    number: 9,
    url: 'http://127.0.0.1',
    fetch: serve(answers),
  });
  await expect(ask((work) => view.block({ number: 9 }, false, work))).rejects.toMatchObject({
    code: 'HAS_UNCLES',
    reason: expect.stringContaining('block 9'),
  });
  const named = await ask((work) => view.header({ number: 9 }, work));
  expect(named.sha3Uncles).toBe(uncles);
});

test('withdrawals and size are those of ethereumjs', async () => {
  const common = commonOf(Hardfork.Shanghai);
  const json = Array.from({ length: 40 }, (_, i) => ({
    index: quantity(i),
    validatorIndex: quantity(300 * i),
    address: accounts[i % 2] as `0x${string}`,
    amount: quantity(i ** 5),
  }));
  const withdrawals = json.map((one) =>
    createWithdrawal({
      ...one,
      index: Number(one.index),
      validatorIndex: Number(one.validatorIndex),
      amount: Number(one.amount),
    } as never),
  );
  const withdrawalsRoot = await genWithdrawalsTrieRoot(withdrawals);
  const block = createBlock(
    { header: { number: 9, gasLimit: 30_000_000, baseFeePerGas: 7, withdrawalsRoot }, withdrawals },
    { common, setHardfork: false, skipConsensusFormatValidation: true },
  );
  const answers = {
    header: toHex(block.header.serialize()),
    body: { transactions: [], withdrawals: json },
    receipts: [],
    number: 9,
  };
  const view = viewOf(toHex(block.hash()), {
    number: 9,
    url: 'http://127.0.0.1',
    fetch: serve(answers),
  });
  const proven = await ask((work) => view.block({ number: 9 }, false, work));
  expect(proven.withdrawals).toEqual(json);
  expect(Number(proven.size)).toBe(block.serialize().length);
});

test('two headers with one state root are two blocks', async () => {
  const number = 9;
  const network = networks.mainnet;
  const l1 = { blockNumber: 1, blockHash: `0x${word(1)}` } as const;
  const fail = async () => {
    throw new Error('it was asked');
  };
  const viewUnder = openViews({ l2: { call: fail }, readSlots: fail, maxBlocks: 0, maxRange: 1 });
  for (const timestamp of [5, 6]) {
    const header = headerOf({ timestamp });
    const [hash, rlp] = [toHex(header.hash()), toHex(header.serialize())] as [Hex, Hex];
    const anchor = givenAnchor({
      ...{ kind: 'header', network, l2BlockNumber: number, blockHash: hash, header: rlp, l1 },
    });
    const view = viewUnder(anchor);
    expect((await ask((work) => view.header({ number }, work))).hash).toBe(hash);
  }
});
