/** Logs that say something of tokens are read by their exact layout; a log of the wrong form is refused by its place. */
import { describe, expect, test } from 'vitest';
import { FollowError } from '../../../../src/follow/node/errors.js';
import { decodeUndo } from '../../../../src/indexer/blocks/undo.js';
import { Changes } from '../../../../src/indexer/layout/changes.js';
import {
  addressBytes,
  blockBytes,
  checkWidth,
  encodeMark,
  keyOf,
  newestBlockBytes,
  newestPlaceBytes,
  placeBytes,
  topicBytes,
} from '../../../../src/indexer/layout/layout.js';
import { parseTokenEvent, topics } from '../../../../src/indexer/logs/events.js';
import { createLogFetch, type LogFetchOptions } from '../../../../src/indexer/logs/fetchLogs.js';
import { createLogSource } from '../../../../src/indexer/logs/logSource.js';
import { LogReader } from '../../../../src/indexer/logs/logs.js';
import { openIndex } from '../../../../src/indexer/openIndex.js';
import { emptyHead, headEntries } from '../../../../src/indexer/sealed/head.js';
import { Numbers, numberedContracts } from '../../../../src/indexer/sealed/numbers.js';
import { sealed } from '../../../../src/indexer/sealed/sealedStore.js';
import { lmdbStore } from '../../../../src/lmdb/index.js';
import { RpcError } from '../../../../src/rpc/index.js';
import { createNodeClient } from '../../../../src/rpc/nodeClient.js';
import { memoryStore } from '../../../../src/tree/index.js';
import { newFolder } from '../../../support/folder.js';
import { fromHex, toHex } from '../../../support/hex.js';
import { patience } from '../../../support/runs.js';

const word = (value: number | bigint) => `0x${value.toString(16).padStart(64, '0')}`;
const data = (...values: (number | bigint)[]) =>
  `0x${values.map((value) => word(value).slice(2)).join('')}`;
/** An address as the topics have it, and as an event has it. */
const [alice, bob] = [0xa11cen, 0xb0bn];
const zero = 0n;
const address = (value: bigint) => fromHex(`0x${value.toString(16).padStart(40, '0')}`);
const id = (value: number | bigint) => fromHex(word(value));
/** No address: its upper bytes are not zero. */
const tooLong = 1n << 200n;

/** A log of a topic. */
const log = (name: keyof typeof topics, others: (number | bigint)[], text = '0x') => ({
  topics: [topics[name], ...others.map(word)],
  data: text,
});
const moved = { kind: 'transfer', isWrapping: false };
const erc20 = { ...moved, standard: 'erc20', ids: [], amounts: [id(5)] };
const wrapping = { ...erc20, isWrapping: true };
const [from, to] = [address(alice), address(bob)];

describe('a log', () => {
  test.each<[string, ReturnType<typeof log>, object]>([
    ['ERC-20', log('transfer', [alice, bob], data(5)), { ...erc20, from, to }],
    [
      'ERC-20 that indexes nothing',
      log('transfer', [], data(alice, bob, 5)),
      { ...erc20, from, to },
    ],
    [
      'ERC-721',
      log('transfer', [alice, bob, 9]),
      { ...moved, standard: 'erc721', from, to, ids: [id(9)], amounts: [] },
    ],
    ['a deposit', log('deposit', [bob], data(5)), { ...wrapping, from: address(zero), to }],
    ['a withdrawal', log('withdrawal', [alice], data(5)), { ...wrapping, from, to: address(zero) }],
    [
      'an allowance',
      log('approval', [alice, bob], data(5)),
      { kind: 'allowance', form: 'amount', owner: from, spender: to },
    ],
    [
      'an allowance of all',
      log('approvalForAll', [alice, bob], data(1)),
      { kind: 'allowance', form: 'all', owner: from, spender: to },
    ],
    [
      'an approval of one token',
      log('approval', [alice, bob, 9]),
      { kind: 'approval', owner: from, spender: to, id: id(9) },
    ],
    [
      'ERC-1155',
      log('transferSingle', [1, alice, bob], data(9, 5)),
      { ...moved, standard: 'erc1155', from, to, ids: [id(9)], amounts: [id(5)] },
    ],
    [
      'a batch',
      log('transferBatch', [1, alice, bob], data(64, 160, 2, 7, 8, 2, 1, 6)),
      { ...moved, standard: 'erc1155', from, to, ids: [id(7), id(8)], amounts: [id(1), id(6)] },
    ],
    [
      'a run of tokens',
      log('consecutiveTransfer', [3, alice, bob], data(4)),
      { kind: 'run', from, to, first: id(3), last: id(4) },
    ],
  ])('%s is read', (_, given, expected) => {
    expect(structuredClone(parseTokenEvent(given))).toEqual(expected);
    const upper = {
      ...given,
      topics: given.topics.map((topic) => `0x${topic.slice(2).toUpperCase()}`),
    };
    expect(structuredClone(parseTokenEvent(upper))).toEqual(expected);
  });

  test.each<[string, { topics: string[]; data: string }]>([
    ['no topic', { topics: [], data: '0x' }],
    ['another topic', { topics: [word(1)], data: '0x' }],
    ['ERC-20 with too little data', log('transfer', [alice, bob])],
    ['ERC-20 of no address', log('transfer', [alice, tooLong], data(5))],
    [
      'ERC-20 without topics, of no hex',
      { topics: [topics.transfer], data: `0x${'zz'.repeat(96)}` },
    ],
    ['a topic of no hex', { topics: [topics.deposit, `0x${'zz'.repeat(32)}`], data: data(5) }],
    ['ERC-721 of no address', log('transfer', [tooLong, bob, 9])],
    ['a deposit to no address', log('deposit', [tooLong], data(5))],
    ['a withdrawal of no address', log('withdrawal', [tooLong], data(5))],
    ['an allowance of no address', log('approval', [tooLong, bob], data(5))],
    ['an approval of no address', log('approval', [alice, tooLong, 9])],
    ['ERC-1155 of no address', log('transferSingle', [1, tooLong, bob], data(9, 5))],
    ['ERC-1155 of no hex', log('transferSingle', [1, alice, bob], `0x${'zz'.repeat(64)}`)],
    ['a batch of no address', log('transferBatch', [1, alice, tooLong], data(64, 96, 0, 0))],
    ['a batch of no hex', log('transferBatch', [1, alice, bob], `0x${'zz'.repeat(128)}`)],
    [
      'a batch with more ids than amounts',
      log('transferBatch', [1, alice, bob], data(64, 128, 1, 7, 0)),
    ],
    [
      'a batch with an invalid offset',
      log('transferBatch', [1, alice, bob], data(1n << 40n, 96, 0, 0)),
    ],
    ['a run of no address', log('consecutiveTransfer', [3, tooLong, bob], data(4))],
    ['a run of no hex', log('consecutiveTransfer', [3, alice, bob], `0x${'zz'.repeat(32)}`)],
    ['a run that ends before it begins', log('consecutiveTransfer', [3, alice, bob], data(2))],
  ])('%s says nothing', (_, given) => {
    expect(parseTokenEvent(given)).toBeUndefined();
  });
});

describe('a list of logs', () => {
  const hash = `0x${'ab'.repeat(32)}` as const;
  const contract = `0x${'c0'.repeat(20)}`;
  const good = {
    ...{
      address: contract,
      blockNumber: '0x5',
      blockHash: hash,
      logIndex: '0x0',
      transactionIndex: '0x0',
    },
    ...log('transfer', [alice, bob], data(5)),
  };
  const read = (list: unknown) => {
    const reader = new LogReader(new Changes(), { from: 5, to: 6, hash });
    reader.readList(list, 'result');
    return reader;
  };

  test('is counted, with the blocks of its events', () => {
    const reader = read([good, { ...good, logIndex: '0x1', topics: [] }]);
    expect([reader.count, [...reader.times]]).toEqual([2, [[5, undefined]]]);
    expect([...read([{ ...good, blockTimestamp: '0x64' }]).times]).toEqual([[5, 100]]);
  });

  test.each<[string, unknown, RegExp]>([
    ['no list', {}, /"result" expected an array/],
    ['no object', [7], /"result\[0\]" expected an object/],
    [
      'another block',
      [{ ...good, blockNumber: '0x7' }],
      /\.blockNumber" expected a block from 5 to 6/,
    ],
    ['no number', [{ ...good, blockNumber: '0xzz' }], /\.blockNumber" expected/],
    [
      'another hash',
      [{ ...good, blockHash: word(1) }],
      /\.blockHash" expected the block asked for/,
    ],
    ['a log twice', [good, good], /"result\[1\]" expected logs in the order of the chain/],
    [
      'blocks in another order',
      [
        { ...good, blockNumber: '0x6' },
        { ...good, blockNumber: '0x5' },
      ],
      /"result\[1\]" expected logs in the order of the chain/,
    ],
    ['a short address', [{ ...good, address: '0x12' }], /\.address" expected 20 bytes/],
    [
      'an address of no hex',
      [{ ...good, address: `0x${'zz'.repeat(20)}` }],
      /\.address" expected hex/,
    ],
    ['no data', [{ ...good, data: null }], /\.data" expected 0x and hex digits/],
    ['no topics', [{ ...good, topics: null }], /\.topics" expected a list of at most 4/],
    ['five topics', [{ ...good, topics: Array(5).fill(word(1)) }], /\.topics" expected a list of/],
    ['a short topic', [{ ...good, topics: ['0x12'] }], /\.topics" expected topics of 32 bytes/],
  ])('%s is refused', (_, list, message) => {
    expect(() => read(list)).toThrow(message);
  });
});

describe('a node that refuses a range', () => {
  const asking = (error: unknown) => {
    let asked = 0;
    const client = createNodeClient(async (_, __, take) => {
      if (asked++ === 0) throw error;
      return take([]);
    });
    const options = { patient: client, hasty: client, node: {}, signal: undefined };
    return createLogFetch(options as unknown as LogFetchOptions);
  };
  const failed = (cause: RpcError) =>
    new FollowError('NODE_FAILED', 'eth_getLogs', { cause } as never);
  const status = (status: number) => new RpcError('HTTP_STATUS', 'm', 'no', { status } as never);

  test.each<[string, RpcError, number | undefined]>([
    ['an error of the server', new RpcError('SERVER_ERROR', 'm', 'no'), undefined],
    ['status 413', status(413), undefined],
    ['status 429, which says nothing of the range', status(429), 0],
    ['status 401', status(401), 0],
    ['a status that is not told', new RpcError('HTTP_STATUS', 'm', 'no'), undefined],
    ['a network that fails', new RpcError('NETWORK', 'm', 'no'), 0],
  ])('%s', async (_, cause, expected) => {
    const asked = { from: 1, to: 2 };
    const read = await asking(failed(cause)).addLogs(new Changes(), asked);
    expect(read?.count).toBe(expected);
  });

  test('another error is nothing of the node', async () => {
    const own = new TypeError('own');
    const { addLogs } = asking(own);
    await expect(addLogs(new Changes(), { from: 1, to: 2 })).rejects.toBe(own);
  });
});

test('a block is timed by its header, if its logs do not say its time', async () => {
  const at = (blockNumber: string) => ({
    ...{ address: `0x${'c0'.repeat(20)}`, blockNumber, logIndex: '0x0', transactionIndex: '0x0' },
    ...log('transfer', [alice, bob], data(5)),
  });
  const client = createNodeClient(async (_, __, take) => take([at('0x5'), at('0x6')]));
  // The node has lost the second one.
  const header = async (number: number) => (number === 5 ? { number, time: 100 } : undefined);
  const options = { patient: client, hasty: client, node: { header }, signal: undefined };
  const changes = new Changes();
  const { addLogs } = createLogFetch(options as unknown as LogFetchOptions);
  expect((await addLogs(changes, { from: 5, to: 6 }))?.count).toBe(2);
  const store = sealed(memoryStore());
  await store.write({ puts: headEntries(emptyHead), deletes: [] });
  const { numbers } = await new Numbers(store, numberedContracts).number(changes.contracts, 0);
  changes.number({ contracts: numbers, topics: [] });
  const times = changes.entries().map(({ key, value }) => [toHex(key), toHex(value)]);
  const timed = times.filter(([key]) => key === toHex(keyOf('time', blockBytes(5))));
  expect(timed).toEqual([[expect.any(String), expect.stringMatching(/000000000064$/)]]);
  expect(times.some(([key]) => key === toHex(keyOf('time', blockBytes(6))))).toBe(false);
});

describe('a block that is another one by now', () => {
  const header = (hash: string) => ({
    ...{ number: '0x5', hash, parentHash: word(4), timestamp: '0x64', transactions: [word(7)] },
    logsBloom: `0x${'ff'.repeat(256)}`,
  });
  /** A node whose blocks are these, one after the other; then the last one remains. */
  const sourceOf = (...blocks: unknown[]) => {
    const answers: Record<string, () => unknown> = {
      eth_getBlockByNumber: () => (blocks.length > 1 ? blocks.shift() : blocks[0]),
      eth_getLogs: () => [],
      eth_getBlockReceipts: () => null,
    };
    const call = async (method: string) => answers[method]?.() as never;
    return createLogSource({ call }, { tries: 2, delay: 1 }, undefined);
  };

  test('is not read', async () => {
    expect(await sourceOf(null).block(5)).toBeUndefined();
    expect(await sourceOf(header(word(1)), null).block(5)).toBeUndefined();
    expect(await sourceOf(header(word(1)), header(word(2))).block(5)).toBeUndefined();
  });

  test('each time that it is asked for, has no logs that could be final', async () => {
    const blocks = Array.from({ length: 9 }, (_, i) => header(word(i)));
    await expect(sourceOf(...blocks).range(5, 5)).rejects.toMatchObject({
      code: 'NODE_FAILED',
      message: expect.stringContaining('block 5: it names another block each time'),
    });
  });

  test('has no receipts, and receipts of the wrong form are refused', async () => {
    const hash = word(1);
    const receiptsOf = (receipts: unknown, now: unknown) => {
      const client = createNodeClient(async (_, __, take) => take(receipts));
      const node = { header: async () => now };
      const options = { patient: client, node, patience: { tries: 1, delay: 1 } };
      const { addReceipts } = createLogFetch(options as unknown as LogFetchOptions);
      const asked = { number: 5, hash, transactions: [word(7)], time: 100 };
      return addReceipts(asked as never, new Changes());
    };
    expect(await receiptsOf([null], undefined)).toBeUndefined();
    const receipt = (blockNumber: string) => ({
      ...{ blockHash: hash, transactionHash: word(7), blockNumber },
      logs: [
        {
          ...{ address: `0x${'c0'.repeat(20)}`, blockNumber, blockHash: hash, logIndex: '0x0' },
          ...{ transactionIndex: '0x0', ...log('transfer', [alice, bob], data(5)) },
        },
      ],
    });
    const same = { number: 5, hash, time: 100 };
    expect((await receiptsOf([receipt('0x5')], same))?.count).toBe(1);
    await expect(receiptsOf([receipt('0x6')], same)).rejects.toMatchObject({
      code: 'BAD_ANSWER',
      message: expect.stringContaining('expected a block from 5 to 5'),
    });
    // A transport of one's own may answer with objects whose members throw.
    const own = new TypeError('own');
    const throwing = <T extends object>(source: T, name: string): T =>
      Object.defineProperty({ ...source }, name, {
        get: () => {
          throw own;
        },
      });
    const whole = receipt('0x5');
    await expect(receiptsOf([throwing(whole, 'blockHash')], same)).rejects.toMatchObject({
      code: 'BAD_ANSWER',
      message: expect.stringContaining('"result[0].blockHash" expected plain data'),
    });
    const logs = whole.logs.map((one) => throwing(one, 'data'));
    await expect(receiptsOf([{ ...whole, logs }], same)).rejects.toBe(own);
  });
});

describe('an index', () => {
  const hash = `0x${'ab'.repeat(32)}` as const;
  const range = (to: number, isFinal: boolean) => ({
    ...{ to, isFinal, changes: new Changes() },
    mark: { hash, time: 100 },
  });

  test('takes back what a block overwrote, for every wallet', async () => {
    // As text these wallets are the same: none of their bytes is one of UTF-8.
    const holders = [0xa1, 0xa2, 0xff].map((byte) => new Uint8Array(20).fill(byte));
    const store = lmdbStore({ path: newFolder() });
    const index = await openIndex({ store, chainId: 7 });
    const held = () =>
      Promise.all(holders.map((wallet) => index.holdings(toHex(wallet), { offset: 0, limit: 5 })));
    const apply = (to: number) => {
      const changes = new Changes();
      for (const wallet of holders) {
        const contract = changes.contract(`0x${'c0'.repeat(20)}`);
        changes.key('holding').part(wallet).byte(1).ofContract(contract).put(blockBytes(to));
      }
      return index.apply({ ...range(to, false), changes });
    };
    await apply(0);
    const before = await held();
    await apply(1);
    expect(await held()).not.toEqual(before);
    await index.revert(0);
    expect(await held()).toEqual(before);
    expect(before.map((list) => list.map(({ lastBlock }) => lastBlock))).toEqual([[0], [0], [0]]);
    await index.close();
  });

  test('takes blocks one after the other, and no final one back', async () => {
    const index = await openIndex({ store: memoryStore(), chainId: 7 });
    const refused = { code: 'BLOCK_ORDER' };
    expect([await index.newestBlock(), await index.finalBlock()]).toEqual([undefined, undefined]);
    await expect(index.apply(range(1, false))).rejects.toMatchObject(refused);
    await index.apply(range(3, true));
    await expect(index.apply(range(3, true))).rejects.toMatchObject(refused);
    await expect(index.apply(range(5, false))).rejects.toMatchObject(refused);
    await expect(index.apply(range(2 ** 48, true))).rejects.toMatchObject(refused);
    await index.apply(range(4, false));
    await expect(index.finalize(5)).rejects.toMatchObject(refused);
    await index.finalize(2);
    expect(await index.finalBlock()).toBe(3);
    // Nothing lies behind these.
    for (const block of [4, 5]) await index.revert(block);
    expect(await index.newestBlock()).toBe(4);
    await index.finalize(4);
    await expect(index.revert(3)).rejects.toMatchObject(refused);
    expect([await index.newestBlock(), await index.finalBlock()]).toEqual([4, 4]);
    expect([await index.blockHash(4), await index.blockHash(9)]).toEqual([hash, undefined]);
    await index.close();
  });

  test('of no final block can be taken back whole', async () => {
    const index = await openIndex({ store: memoryStore(), chainId: 7 });
    await index.apply(range(0, false));
    await index.finalize(-1);
    await index.revert(-1);
    expect([await index.newestBlock(), await index.finalBlock()]).toEqual([undefined, undefined]);
    await index.close();
  });

  test('is not begun in a store of something else', async () => {
    const store = memoryStore();
    const entry = { key: Uint8Array.of(1), value: Uint8Array.of(2) };
    await store.write({ puts: [entry], deletes: [] });
    await expect(openIndex({ store, chainId: 7 })).rejects.toMatchObject({ code: 'WRONG_INDEX' });
  });

  test('that is not whole says so', () => {
    expect(() => checkWidth(undefined, 5, 'a block')).toThrow(/holds nothing as a block/);
    expect(() => checkWidth(new Uint8Array(4), 5, 'a block')).toThrow(/holds 4 bytes as a block/);
    expect(toHex(checkWidth(blockBytes(3), blockBytes(3).length, 'a block'))).toBe(
      '0x000000000003',
    );
    expect(() => decodeUndo(Uint8Array.of(1, 3, 9, 9))).toThrow(/malformed list of changes/);
  });

  test('takes addresses and hashes of their width only', () => {
    expect(() => addressBytes('0x12')).toThrow(RangeError);
    expect(() => encodeMark({ hash: '0x12', time: 1 })).toThrow(RangeError);
    expect(() => topicBytes('0x12')).toThrow('"topic" expected 0x and 64 hex digits');
  });

  test('is of tokens or of all, and of nothing else', async () => {
    const given = { store: memoryStore(), chainId: 7, only: 'logs' as 'tokens' };
    await expect(openIndex(given)).rejects.toThrow('expected "tokens"');
  });

  const wallet = `0x${'a1'.repeat(20)}` as const;
  const token = `0x${'c0'.repeat(20)}` as const;
  const damaged = (message: RegExp) => ({
    code: 'DAMAGED',
    message: expect.stringMatching(message),
  });

  test('with a holding of no standard is damaged', async () => {
    const index = await openIndex({ store: memoryStore(), chainId: 7 });
    const changes = new Changes();
    const contract = changes.contract(token);
    changes.key('holding').part(fromHex(wallet)).byte(9).ofContract(contract).put(blockBytes(0));
    await index.apply({ ...range(0, true), changes });
    const read = index.holdings(wallet, { offset: 0, limit: 5 });
    await expect(read).rejects.toMatchObject(damaged(/holds an unknown standard/));
  });

  test.each<[string, Uint8Array, RegExp]>([
    ['without a body', new Uint8Array(0), /holds an unknown transfer/],
    ['of no standard', new Uint8Array(60).fill(0x1f), /holds an unknown transfer/],
    ['in no direction', new Uint8Array(60).fill(0xf1), /holds an unknown transfer/],
    ['of ERC-20 without its transaction', Uint8Array.of(0x11, ...new Uint8Array(22)), /half a/],
    ['of ERC-721 without its id', Uint8Array.of(0x12, ...new Uint8Array(54)), /half a transfer/],
  ])('with a transfer %s is damaged', async (_, body, message) => {
    const index = await openIndex({ store: memoryStore(), chainId: 7 });
    const changes = new Changes();
    const key = changes.key('moved').part(fromHex(wallet)).ofContract(changes.contract(token));
    key.part(newestBlockBytes(0)).part(newestPlaceBytes(0)).part(placeBytes(0));
    key.put(blockBytes(0), body);
    await index.apply({ ...range(0, true), changes });
    const read = index.moved(wallet, { contract: token, limit: 5 });
    await expect(read).rejects.toMatchObject(damaged(message));
    expect(await index.countMoved(wallet, 5)).toBe(1);
  });

  test('gives no more numbers than fit into a key', async () => {
    const store = sealed(memoryStore());
    await store.write({ puts: headEntries(emptyHead), deletes: [] });
    const numbers = new Numbers(store, numberedContracts);
    const last = 2 ** 40 - 1;
    expect((await numbers.number([token], last)).numbers).toEqual([last]);
    const refused = numbers.number([token, wallet], last);
    await expect(refused).rejects.toMatchObject(damaged(/too many contracts/));
  });

  test(
    'gives a contract the same number after it forgot it',
    async () => {
      const store = sealed(memoryStore());
      await store.write({ puts: headEntries(emptyHead), deletes: [] });
      const numbers = new Numbers(store, numberedContracts);
      const first = await numbers.number([token], 0);
      await store.write({ puts: first.puts, deletes: [] });
      first.keep();
      const names = Array.from(
        { length: 100_001 },
        (_, i) => `0x${i.toString(16).padStart(40, '0')}`,
      );
      const many = await numbers.number(names, 1);
      many.keep();
      // Those are too many to keep: the next ones are kept in their place, and these are looked up.
      (await numbers.number([wallet], many.count)).keep();
      expect((await numbers.number([token], many.count)).numbers).toEqual([0]);
      // They were not written.
      expect((await numbers.number([names[0] as string], 500)).numbers).toEqual([500]);
    },
    patience,
  );
});

test('native value is no token', () => {
  const native = `0x${'f'.repeat(39)}e`;
  const checksum = '0xffffFFFfFFffffffffffffffFfFFFfffFFFfFFfE';
  const token = `0x${'f'.repeat(40)}`;
  const at = (address: string, index: number) => ({
    ...log('transfer', [alice, bob], data(5)),
    ...{ address, blockNumber: '0x1', transactionIndex: '0x0' },
    logIndex: `0x${index.toString(16)}`,
  });
  const changes = new Changes();
  const reader = new LogReader(changes, { from: 1, to: 1 });
  reader.readList([at(native, 0), at(checksum, 1)], 'result');
  expect([changes.size, changes.contracts]).toEqual([0, []]);
  reader.readList([at(token, 2)], 'result');
  expect(changes.contracts).toEqual([token]);
});
