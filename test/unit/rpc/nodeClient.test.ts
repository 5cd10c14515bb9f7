/** The questions to a node: as a real one takes them, and as the specification writes them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../src/bytes.js';
import { createTransport } from '../../../src/rpc/index.js';
import {
  createNodeClient,
  type NodeClient,
  toAskNode,
  unlessNull,
  unread,
} from '../../../src/rpc/nodeClient.js';
import { type Anvil, accounts, startAnvil } from '../../support/anvil.js';

const account = accounts[0] as Hex;
const zeroWord: Hex = `0x${'00'.repeat(32)}`;

describe('a real node', () => {
  let anvil: Anvil;
  let node: NodeClient;
  beforeAll(async () => {
    anvil = await startAnvil('--chain-id', '4242');
    const transport = createTransport({ url: anvil.url });
    node = createNodeClient(toAskNode((method, params) => transport.call(method, params)));
    // A contract that logs its call data without topics, and then a call of it.
    await anvil.mine({ data: '0x60088060095f395ff3365f5f37365fa000' });
    await anvil.mine({ to: contract(), data: '0x1234' });
  });
  afterAll(() => anvil.close());
  /** The first contract of Anvil's first account. */
  const contract = (): Hex => '0x5fbdb2315678afecb367f032d93f642f64180aa3';

  test('says which chain it is of, and how long it is', async () => {
    expect(await node.chainId(unread)).toBe('0x1092');
    expect(await node.blockNumber(unread)).toBe('0x2');
  });

  test('gives blocks by number, tag and hash, or none', async () => {
    const block = (await node.block(2, unread)) as { hash: Hex; transactions: Hex[] };
    expect(block).toMatchObject({ number: '0x2', transactions: [expect.stringMatching(/^0x/)] });
    expect(await node.block('latest', unread)).toEqual(block);
    expect(await node.block({ blockHash: block.hash }, unread)).toEqual(block);
    expect(await node.block('finalized', unread)).toMatchObject({ number: '0x0' });
    expect(
      await node.block(
        99,
        unlessNull(() => 'a block'),
      ),
    ).toBeUndefined();
    expect(
      await node.block(
        2,
        unlessNull(() => 'a block'),
      ),
    ).toBe('a block');
  });

  test('gives transactions, receipts and logs', async () => {
    const { hash, transactions } = (await node.block(2, unread)) as {
      hash: Hex;
      transactions: [Hex];
    };
    const [sent] = transactions;
    expect(await node.transaction(sent, unread)).toMatchObject({ hash: sent, input: '0x1234' });
    const receipt = (await node.receipt(sent, unread)) as { logs: unknown[] };
    expect(receipt).toMatchObject({ transactionHash: sent, logs: [{ data: '0x1234' }] });
    expect(await node.receipts(2, unread)).toEqual([receipt]);
    for (const range of [{ from: 0, to: 2 }, { blockHash: hash }]) {
      expect(await node.logs({ address: contract(), range, topics: [] }, unread)).toEqual(
        receipt.logs,
      );
      expect(await node.logs({ address: undefined, range, topics: [] }, unread)).toEqual(
        receipt.logs,
      );
      expect(await node.logs({ address: account, range, topics: [] }, unread)).toEqual([]);
    }
    expect(
      await node.logs({ address: undefined, range: { from: 0, to: 1 }, topics: [] }, unread),
    ).toEqual([]);
  });

  test('gives accounts, their slots, code and proofs, and runs calls', async () => {
    const { hash } = (await node.block(1, unread)) as { hash: Hex };
    for (const at of [1, { blockHash: hash }]) {
      expect(await node.nonce(account, at, unread)).toBe('0x1');
      expect(await node.code(contract(), at, unread)).toBe('0x365f5f37365fa000');
      expect(await node.slot(contract(), zeroWord, at, unread)).toBe(zeroWord);
      expect(await node.balance(contract(), at, unread)).toBe('0x0');
      const call = { to: contract(), data: '0x', gas: 50_000 };
      expect(await node.call(call, at, unread, 1024)).toBe('0x');
    }
    // The identity contract gives back what it is given.
    const identity = {
      to: '0x0000000000000000000000000000000000000004',
      data: '0xabcd',
      gas: undefined,
    } as const;
    expect(await node.call(identity, 'latest', unread, 1024)).toBe('0xabcd');
    const proven = await node.proof({ address: account, storageKeys: [zeroWord] }, 2, unread);
    expect(proven).toMatchObject({
      address: account,
      nonce: '0x2',
      storageProof: [{ value: '0x0' }],
    });
  });
});

describe('what a question hands on', () => {
  const asked: unknown[][] = [];
  const node = createNodeClient(async (method, params, read, maxBytes) => {
    asked.push([method, params, maxBytes]);
    return read('answer');
  });

  test('is the bound of its answer, and the answer with the path of errors', async () => {
    const read = (answer: unknown, at: string) => `${at}: ${answer}`;
    expect(await node.chainId(read)).toBe('result: answer');
    const results = await Promise.all([
      node.block('safe', read, 1),
      node.receipts(7, read, 2),
      node.logs({ address: undefined, range: { from: 10, to: 17 }, topics: [null] }, read, 3),
      node.call({ to: account, data: '0x01', gas: 16 }, 'latest', read, 4),
      node.code(account, 5, read, 5),
      node.proof({ address: account, storageKeys: [] }, { blockHash: zeroWord }, read, 6),
    ]);
    expect(new Set(results)).toEqual(new Set(['result: answer']));
    expect(asked).toEqual([
      ['eth_chainId', [], 65_536],
      ['eth_getBlockByNumber', ['safe', false], 1],
      ['eth_getBlockReceipts', ['0x7'], 2],
      ['eth_getLogs', [{ fromBlock: '0xa', toBlock: '0x11', topics: [null] }], 3],
      ['eth_call', [{ to: account, data: '0x01', gas: '0x10' }, 'latest'], 4],
      ['eth_getCode', [account, '0x5'], 5],
      ['eth_getProof', [account, [], { blockHash: zeroWord }], 6],
    ]);
  });

  test('is the error of asking, and that of reading', async () => {
    const failing = createNodeClient(toAskNode(() => Promise.reject(new RangeError('asked'))));
    await expect(failing.chainId(unread)).rejects.toThrow('asked');
    const fail = () => {
      throw new RangeError('read');
    };
    await expect(node.balance(account, 1, fail)).rejects.toThrow('read');
  });
});
