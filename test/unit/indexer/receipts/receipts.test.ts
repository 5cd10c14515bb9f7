/** Receipts are read strictly; logs that say one thing twice count once; Permit2 and Seaport count only where they are. */
import { encodeAbiParameters, type Hex, parseAbiParameters, toEventSelector } from 'viem';
import { describe, expect, test } from 'vitest';
import { permit2Address } from '../../../../src/abi/allowances.js';
import { bytesToInteger } from '../../../../src/bytes.js';
import { permit2 as decodedPermit2 } from '../../../../src/decode/events/permit2.js';
import { seaport } from '../../../../src/decode/events/seaport.js';
import { nativeLogAddress } from '../../../../src/decode/receipt/nativeLogAddress.js';
import { Changes } from '../../../../src/indexer/layout/changes.js';
import { signedIn, totalWidths } from '../../../../src/indexer/layout/combine.js';
import { type RecordKind, recordKinds } from '../../../../src/indexer/layout/layout.js';
import { topics } from '../../../../src/indexer/logs/events.js';
import { openIndex } from '../../../../src/indexer/openIndex.js';
import { permitTopics } from '../../../../src/indexer/receipts/permits.js';
import { ReceiptReader } from '../../../../src/indexer/receipts/receipts.js';
import { orderFulfilled, seaports } from '../../../../src/indexer/receipts/sales.js';
import { memoryStore } from '../../../../src/tree/index.js';

const [alice, bob, token, nft] = ['a1', 'b0', 'c0', 'd0'].map(
  (byte): Hex => `0x${byte.repeat(20)}`,
) as [...[Hex, Hex, Hex, Hex]];
const zero: Hex = `0x${'0'.repeat(40)}`;
const wordOf = (address: Hex): Hex => `0x${'0'.repeat(24)}${address.slice(2)}`;
const amount = (value: number | bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const hash: Hex = `0x${'11'.repeat(32)}`;
const transactions = [`0x${'22'.repeat(32)}`, `0x${'33'.repeat(32)}`] as [Hex, Hex];
const header = { number: 5, hash, time: 100, transactions, logsBloom: undefined };

interface Log {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

const transfer = (from: Hex, to: Hex, value: number | bigint): Log => ({
  ...{ address: token, topics: [topics.transfer, wordOf(from), wordOf(to)] },
  data: amount(value),
});
const wrapping = (name: 'deposit' | 'withdrawal', wallet: Hex, value: number): Log => ({
  ...{ address: token, topics: [topics[name], wordOf(wallet)], data: amount(value) },
});

/** Receipts of two transactions with these logs. */
function receiptsOf(...logs: readonly (readonly Log[])[]) {
  let logIndex = 0;
  return transactions.map((transactionHash, i) => ({
    ...{ blockHash: hash, transactionHash, transactionIndex: `0x${i}`, from: alice, to: bob },
    ...{ contractAddress: null, gasUsed: '0x5208', effectiveGasPrice: '0x7', logsBloom: '0x00' },
    logs: (logs[i] ?? []).map((log) => ({ ...log, logIndex: `0x${(logIndex++).toString(16)}` })),
  }));
}

function changesOf(receipts: unknown): Changes {
  const changes = new Changes();
  new ReceiptReader(changes).read(receipts, header, 'result');
  return changes;
}

function read(receipts: unknown): { key: Uint8Array; value: Uint8Array }[] {
  const changes = changesOf(receipts);
  const numbers = (names: readonly string[]) => names.map((_, i) => i);
  changes.number({ contracts: numbers(changes.contracts), topics: numbers(changes.topics) });
  return changes.entries();
}

const ofKind = (kind: RecordKind, receipts: unknown) =>
  read(receipts).filter(({ key }) => key[0] === recordKinds[kind]);

describe('a wrapped token that emits both events', () => {
  const made = [wrapping('deposit', alice, 9), transfer(zero, alice, 9)];
  const burnt = [wrapping('withdrawal', alice, 9), transfer(alice, zero, 9)];
  test.each<[string, Log[][], bigint, number]>([
    ['counts once', [made], 9n, 1],
    ['in either order', [[...made].reverse()], 9n, 1],
    ['twice if it does both twice', [[...made, ...made]], 18n, 2],
    ['burns once', [burnt], -9n, 1],
    ['counts twice in two transactions', [[made[0] as Log], [made[1] as Log]], 18n, 2],
    ['counts twice with another amount', [[made[0] as Log, transfer(zero, alice, 8)]], 17n, 2],
    ['a transfer between is another one', [[...made, transfer(alice, bob, 9)]], 0n, 3],
  ])('%s', (_, logs, sum, moves) => {
    const receipts = receiptsOf(...logs);
    const [first] = ofKind('sum', receipts);
    expect(signedIn((first?.value as Uint8Array).subarray(7))).toBe(sum);
    expect(ofKind('moved', receipts)).toHaveLength(moves);
  });
});

test('addresses and topics are those of the contracts', () => {
  expect(decodedPermit2.addresses?.map((address) => address.toLowerCase())).toEqual([
    permit2Address,
  ]);
  expect(seaport.addresses?.map((address) => address.toLowerCase())).toEqual(seaports);
  const selector = (name: string, events: typeof seaport.events) =>
    toEventSelector(events.find(({ event }) => event.includes(`event ${name}(`))?.event as string);
  expect(selector('OrderFulfilled', seaport.events)).toBe(orderFulfilled);
  expect(selector('Approval', decodedPermit2.events)).toBe(permitTopics.approval);
  expect(selector('Permit', decodedPermit2.events)).toBe(permitTopics.permit);
  expect(selector('Lockdown', decodedPermit2.events)).toBe(permitTopics.lockdown);
});

test('changes of Permit2 are noted, if Permit2 says so', () => {
  const parties = [alice, token, bob].map(wordOf) as Hex[];
  const approval = {
    topics: [permitTopics.approval, ...parties],
    data: `0x${'00'.repeat(64)}` as Hex,
  };
  const lockdown = {
    topics: [permitTopics.lockdown, wordOf(bob)],
    data: `0x${wordOf(token).slice(2)}${wordOf(alice).slice(2)}` as Hex,
  };
  const logs = (address: Hex) => receiptsOf([{ ...approval, address }], [{ ...lockdown, address }]);
  expect(ofKind('permit', logs(permit2Address))).toHaveLength(2);
  expect(ofKind('permit', logs(nft))).toEqual([]);
  const touched = ofKind('touched', logs(permit2Address)).map(({ value }) => value.at(-1));
  expect(touched.sort((a, b) => (a as number) - (b as number))).toEqual([1, 2, 17, 18]);
});

describe('a log of Permit2', () => {
  const parties = [alice, token, bob].map(wordOf) as [Hex, Hex, Hex];
  const words = (count: number): Hex => `0x${'00'.repeat(32 * count)}`;
  const { approval, permit, lockdown } = permitTopics;
  const noDigits = `0x${'0'.repeat(24)}${'zz'.repeat(20)}` as Hex;
  test.each<[string, Hex[], Hex, number]>([
    ['of a signed permit is noted', [permit, ...parties], words(3), 1],
    ['of a permit with the data of an approval is not', [permit, ...parties], words(2), 0],
    ['of an approval with the data of a permit is not', [approval, ...parties], words(3), 0],
    ['of another event is not', [hash, ...parties], words(2), 0],
    ['of a lockdown with one topic more is not', [lockdown, ...parties.slice(1)], words(2), 0],
    ['of a lockdown cut short is not', [lockdown, parties[0]], words(1), 0],
    ['whose owner has no digits is not', [permit, noDigits, ...parties.slice(1)], words(3), 0],
    ['whose token has no digits is not', [permit, parties[0], noDigits, parties[2]], words(3), 0],
    ['whose spender has no digits is not', [permit, ...parties.slice(0, 2), noDigits], words(3), 0],
  ])('%s', (_, topicsOfLog, data, count) => {
    const receipts = receiptsOf([{ address: permit2Address, topics: topicsOfLog, data }]);
    expect(ofKind('permit', receipts)).toHaveLength(count);
    expect(ofKind('emitted', receipts)).toHaveLength(1);
  });
});

test('a log without topics, and a transfer of native value, count as logs only', () => {
  const anonymous = receiptsOf([{ address: token, topics: [], data: '0x' }]);
  expect(ofKind('emitted', anonymous)).toHaveLength(1);
  expect(ofKind('topic', anonymous)).toEqual([]);
  const native = { ...transfer(alice, bob, 1), address: nativeLogAddress as Hex };
  expect(ofKind('emitted', receiptsOf([native]))).toHaveLength(1);
  expect(ofKind('topic', receiptsOf([native]))).toHaveLength(1);
  expect(ofKind('moved', receiptsOf([native]))).toEqual([]);
});

test('amounts of any width are listed as they were moved', async () => {
  const amounts = Array.from({ length: 32 }, (_, i) => 1n << BigInt(8 * i));
  const changes = changesOf(receiptsOf(amounts.map((value) => transfer(alice, bob, value))));
  const index = await openIndex({ store: memoryStore(), chainId: 1 });
  await index.apply({ to: header.number, mark: header, changes, isFinal: true });
  const moved = await index.moved(bob, { contract: token, order: 'oldest', limit: 100 });
  expect(moved.map((one) => one.amount)).toEqual(amounts);
  await index.close();
});

test('tokens that are minted together are one record, and counted', () => {
  const parties = [amount(5), wordOf(zero), wordOf(alice)];
  const run = { address: nft, topics: [topics.consecutiveTransfer, ...parties], data: amount(9) };
  const receipts = receiptsOf([run]);
  const batches = ofKind('batch', receipts).map(({ value }) => Buffer.from(value).toString('hex'));
  // Behind the block: the last id, the receiver and the transaction's place.
  expect(batches.map((value) => value.slice(14))).toEqual([
    `${amount(9).slice(2)}${alice.slice(2)}000000`,
  ]);
  const sums = ofKind('sum', receipts).map(({ value }) => signedIn(value.subarray(7)));
  expect(sums).toEqual([5n]);
});

test('who may spend what of an owner is noted with the place of the last approval', () => {
  const approve = (contract: Hex, third: readonly Hex[], data: Hex): Log => ({
    ...{ address: contract, topics: [topics.approval, wordOf(alice), wordOf(bob), ...third], data },
  });
  const all = { address: nft, topics: [topics.approvalForAll, wordOf(alice), wordOf(bob)] };
  const logs = receiptsOf(
    [approve(token, [], amount(9)), approve(nft, [amount(7)], '0x')],
    // The same again: the later place stands.
    [{ ...all, data: amount(1) }, approve(nft, [amount(7)], '0x'), approve(nft, [amount(8)], '0x')],
  );
  const textOf = (kind: 'allowance' | 'approval') =>
    ofKind(kind, logs).map(({ key, value }) =>
      [key.subarray(1), value.subarray(1)].map((bytes) => Buffer.from(bytes).toString('hex')),
    );
  const [owner, spender, block] = [alice.slice(2), bob.slice(2), '000000000005'];
  // Contracts are numbered in the order of their first event; an allowance of all is of form 2.
  expect(textOf('allowance')).toEqual([
    [`${owner}01${'0000000000'}${spender}`, `${block}000000000000`],
    [`${owner}02${'0000000001'}${spender}`, `${block}000001000002`],
  ]);
  expect(textOf('approval')).toEqual([
    [`${owner}0000000001${amount(7).slice(2)}`, `${block}${spender}000001000003`],
    [`${owner}0000000001${amount(8).slice(2)}`, `${block}${spender}000001000004`],
  ]);
});

test('each wallet of a transaction with many is noted once', () => {
  const walletOf = (i: number): Hex => `0x${(i + 1).toString(16).padStart(40, '0')}`;
  const wallets = Array.from({ length: 20 }, (_, i) => walletOf(i));
  const logs = [...wallets, ...wallets].map((wallet) => transfer(alice, wallet, 1));
  const touched = ofKind('touched', receiptsOf(logs)).filter(({ key }) => key.at(-1) === 0);
  const names = touched.map(({ key }) => `0x${Buffer.from(key.subarray(1, 21)).toString('hex')}`);
  expect(names.sort()).toEqual([...wallets, alice, bob].sort());
  const totals = ofKind('total', receiptsOf(logs)).map(({ key, value }): [string, number] => [
    `0x${Buffer.from(key.subarray(1, 21)).toString('hex')}`,
    Number(bytesToInteger(value.subarray(7, 7 + totalWidths.transactions))),
  ]);
  const counts = wallets.map((wallet): [string, number] => [wallet, 1]);
  // The other transaction is theirs, too.
  expect(Object.fromEntries(totals)).toEqual({
    ...Object.fromEntries(counts),
    [alice]: 2,
    [bob]: 2,
  });
});

test('gas that is free costs nothing, however much of it', () => {
  const feesOf = (change: object) => {
    const receipts = receiptsOf().map((receipt) => ({ ...receipt, ...change }));
    const sender = Buffer.from(alice.slice(2), 'hex');
    const [total] = ofKind('total', receipts).filter(({ key }) => sender.equals(key.slice(1, 21)));
    return Number.parseInt(Buffer.from(total?.value.subarray(-6) ?? []).toString('hex'), 16);
  };
  // Two transactions of 21,000 gas at 7 wei each.
  expect(feesOf({})).toBe(2 * 21_000 * 7);
  expect(feesOf({ effectiveGasPrice: '0x0' })).toBe(0);
  expect(feesOf({ effectiveGasPrice: '0x0', gasUsed: '0xffffffffffff' })).toBe(0);
});

test('fees of any width that a chain can have are added up', () => {
  const sender = Buffer.from(alice.slice(2), 'hex');
  for (const price of [1n, 2n ** 40n, 2n ** 53n, 2n ** 90n]) {
    const receipts = receiptsOf().map((receipt) => ({
      ...receipt,
      effectiveGasPrice: `0x${price.toString(16)}`,
    }));
    const [total] = ofKind('total', receipts).filter(({ key }) => sender.equals(key.slice(1, 21)));
    const fees = total?.value.subarray(-totalWidths.fees) as Uint8Array;
    expect(bytesToInteger(fees)).toBe(2n * 21_000n * price);
  }
});

test.each([
  [2n ** 90n, 5n],
  [5n, 2n ** 90n],
  [2n ** 90n, 2n ** 60n],
  [2n ** 60n + 1n, 2n ** 70n],
  [2n ** 40n, 0n],
])('fees at %d and then %d wei for gas are added up, whatever stood there before', (...prices) => {
  const sender = Buffer.from(alice.slice(2), 'hex');
  const receipts = receiptsOf().map((receipt, i) => ({
    ...receipt,
    effectiveGasPrice: `0x${prices[i]?.toString(16)}`,
  }));
  expect(receipts).toHaveLength(prices.length);
  const [total] = ofKind('total', receipts).filter(({ key }) => sender.equals(key.slice(1, 21)));
  const fees = total?.value.subarray(-totalWidths.fees) as Uint8Array;
  expect(bytesToInteger(fees)).toBe(21_000n * (prices[0] + prices[1]));
});

describe('a sale on Seaport', () => {
  const parameters = parseAbiParameters(
    'bytes32, address, (uint8, address, uint256, uint256)[], (uint8, address, uint256, uint256, address)[]',
  );
  type Item = readonly [number, Hex, bigint, bigint];
  const order = (offer: Item[], asked: Item[], address = seaports[0] as Hex): Log => ({
    ...{ address, topics: [orderFulfilled, wordOf(alice), wordOf(zero)] },
    data: encodeAbiParameters(parameters, [
      ...([hash, bob, offer, asked.map((item) => [...item, alice] as const)] as const),
    ]),
  });
  const item: Item = [2, nft, 7n, 1n];
  const value = (sum: bigint): Item => [0, zero, 0n, sum];
  /** The order with another word of its data: 255, behind a byte in front of it. */
  const withWord = (log: Log, word: number, first: '00' | 'ff'): Log => ({
    ...log,
    data: `${log.data.slice(0, 2 + 64 * word)}${first}${'0'.repeat(60)}ff${log.data.slice(66 + 64 * word)}` as Hex,
  });

  /** The order with a second item that is asked for, of which only the type came. */
  const withCutItem = (log: Log): Log => {
    const at = 2 + 64 * 9;
    const words = `${amount(2).slice(2)}${log.data.slice(at + 64)}${amount(0).slice(2)}`;
    return { ...log, data: `${log.data.slice(0, at)}${words}` as Hex };
  };

  test.each<[string, Log[], (string | undefined)[]]>([
    ['for native value, fees with it', [order([item], [value(900n), value(100n)])], ['03e8']],
    [
      'that was bid for, fees taken from it',
      [order([[1, token, 0n, 800n]], [item, [1, token, 0n, 20n]])],
      ['0320'],
    ],
    [
      'of matched orders counts once',
      [order([item], [value(5n)]), order([value(5n)], [item])],
      ['05'],
    ],
    ['of several has no price', [order([item, [3, nft, 8n, 2n]], [value(5n)])], [undefined]],
    ['of NFTs for NFTs is none', [order([item], [[2, token, 1n, 1n]])], []],
    ['elsewhere is none', [order([item], [value(5n)], nft)], []],
    ['for nothing has no price', [order([item], [])], [undefined]],
    [
      'for two currencies has no price',
      [order([item], [value(5n), [1, token, 0n, 5n]])],
      [undefined],
    ],
    [
      'for more than there can be has no price',
      [order([item], [value(2n ** 256n - 1n), value(5n)])],
      [undefined],
    ],
    ['of an unknown type is none', [order([[6, nft, 7n, 1n]], [value(5n)])], []],
    [
      'of a type that is no small number is none',
      [withWord(order([item], [value(5n)]), 5, 'ff')],
      [],
    ],
    ['of more items than came is none', [withWord(order([item], [value(5n)]), 4, '00')], []],
    ['whose last item is cut short is none', [withCutItem(order([item], [value(5n)]))], []],
    ['that is cut short is none', [{ ...order([item], [value(5n)]), data: '0x00' }], []],
  ])('%s', (_, logs, prices) => {
    const found = ofKind('sale', receiptsOf(logs)).map(({ value }) => {
      const price = Buffer.from(value.subarray(7 + 32 + 3 + 5)).toString('hex');
      return price === '' ? undefined : price;
    });
    expect(found).toEqual(prices);
  });
});

describe('receipts are refused', () => {
  const good = receiptsOf(
    [transfer(alice, bob, 1), transfer(alice, bob, 2)],
    [transfer(bob, alice, 1)],
  );
  const edit = (i: number, change: object) =>
    good.map((receipt, at) => (at === i ? { ...receipt, ...change } : receipt));
  const cut = good[0]?.logs.slice(1);
  test.each<[string, unknown, RegExp]>([
    ['one too few', good.slice(1), /"result\[0\]" expected 2 receipts, got 1/],
    ['no list', null, /"result" expected an array/],
    ['another place', edit(1, { transactionIndex: '0x2' }), /\[1\]\.transactionIndex" expected 1/],
    [
      'another block',
      edit(1, { blockHash: transactions[0] }),
      /\[1\]\.blockHash" expected the block's/,
    ],
    ['another transaction', edit(0, { transactionHash: hash }), /\[0\]\.transactionHash" expected/],
    ['a log missing', edit(0, { logs: cut }), /\[0\]\.logs\[0\]\.logIndex" expected 0/],
    [
      'a later log missing',
      edit(0, { logs: good[0]?.logs.slice(0, 1) }),
      /\[1\]\.logs\[0\]\.logIndex" expected 1/,
    ],
    ['a bloom without logs', edit(1, { logs: [], logsBloom: '0x01' }), /logs" expected the logs/],
    ['no sender', edit(0, { from: null }), /\[0\]\.from" expected 0x/],
    [
      'a sender of no digits',
      edit(0, { from: `0x${'zz'.repeat(20)}` }),
      /\[0\]\.from" expected hex digits/,
    ],
    [
      'a topic of no digits',
      edit(1, { logs: [{ ...good[1]?.logs[0], topics: [`0x${'zz'.repeat(32)}`] }] }),
      /\[1\]\.logs\[0\]\.topics" expected hex digits/,
    ],
    [
      'a log behind all places of a block',
      edit(0, { logs: [{ ...good[0]?.logs[0], logIndex: '0x1000000' }] }),
      /\[0\]\.logs\[0\]\.logIndex" expected a place inside a block/,
    ],
    ['no fees', edit(0, { effectiveGasPrice: null }), /effectiveGasPrice" expected/],
    ['fees of no chain', edit(0, { effectiveGasPrice: `0x${'f'.repeat(30)}` }), /expected fees/],
  ])('%s', (_, receipts, message) => {
    expect(() => read(receipts)).toThrow(message);
  });

  test('as they are, they are read', () => {
    expect(ofKind('moved', good)).toHaveLength(6);
    expect(ofKind('emitted', good).map(({ value }) => value.at(-1))).toEqual([3]);
  });
});
