/** Logs of a node, which may say anything: only those of the service are read, and a false one is named by its place. */
import { encodeAbiParameters, encodeEventTopics, type Hex, keccak256, pad, parseAbi } from 'viem';
import { expect, test } from 'vitest';
import { defineNetwork, networks } from '../../../src/anchor/index.js';
import { createMessages, messageHash } from '../../../src/messages/index.js';
import { readMessages, readReceiptMessages } from '../../../src/messages/logs.js';
import { proveMessages } from '../../../src/messages/search.js';
import { createTurns } from '../../../src/turns.js';

const service = `0x${'51'.repeat(20)}` as const;
const abi = parseAbi([
  'event MessageSent(address indexed from, address indexed to, uint256 fee, uint256 value, uint256 nonce, bytes calldata_, bytes32 indexed hash)',
]);
const message = {
  from: `0x${'a1'.repeat(20)}`,
  to: `0x${'b2'.repeat(20)}`,
  fee: 1n,
  value: 2n,
  messageNumber: 300n,
  data: '0xabcdef',
} as const;
const { from, to, fee, value, messageNumber, data } = message;
const hash = keccak256(
  encodeAbiParameters(
    ['address', 'address', 'uint256', 'uint256', 'uint256', 'bytes'].map((type) => ({ type })),
    [from, to, fee, value, messageNumber, data],
  ),
);
const log = {
  address: service,
  topics: encodeEventTopics({ abi, eventName: 'MessageSent', args: { from, to, hash } }) as Hex[],
  data: encodeAbiParameters(
    ['uint256', 'uint256', 'uint256', 'bytes'].map((type) => ({ type })),
    [fee, value, messageNumber, data],
  ),
  blockNumber: '0x10',
};
/** With another topic in one place. */
const withTopic = (place: number, topic: string) => ({
  ...log,
  topics: log.topics.map((one, i) => (i === place ? topic : one)),
});
const { tick } = createTurns(() => {});
const reading = (...logs: unknown[]) => readMessages(logs, 'logs', { service, tick });

test('a message is read as its log has it', async () => {
  expect(messageHash(message)).toBe(hash);
  expect(await reading(log)).toEqual([{ hash, message, block: 16 }]);
  expect(await readReceiptMessages({ logs: [log] }, 'result', { service, tick })).toEqual([
    { hash, message, block: 16 },
  ]);
});

test('there may be more than a call takes arguments', { timeout: 120_000 }, async () => {
  const logs = new Array(130_000).fill(log);
  const anchor = { kind: 'header', l2BlockNumber: 16 };
  const history = { anchor: async () => anchor, logs: async () => logs } as never;
  const work = { service, signal: undefined, tick } as never;
  const { list, provenTo } = await proveMessages(work, { from: 16, to: 16 }, history);
  expect([list.length, provenTo]).toEqual([logs.length, 16]);
});

test('many messages leave others their turns, and their reading ends if its signal is aborted', async () => {
  const logs = new Array(20_000).fill(log);
  const controller = new AbortController();
  const { signal } = controller;
  let turns = 0;
  const beat = () => {
    turns++;
    if (turns === 3) controller.abort(new Error('enough'));
    if (!signal.aborted) setImmediate(beat);
  };
  setImmediate(beat);
  const aborted = createTurns(() => signal.throwIfAborted());
  const work = { service, tick: aborted.tick };
  await expect(readMessages(logs, 'logs', work)).rejects.toThrow('enough');
  expect(turns).toBe(3);
});

test.each([
  ['another contract', { ...log, address: to }],
  ['fewer topics', { ...log, topics: log.topics.slice(0, 3) }],
  ['another event', withTopic(0, pad('0x1'))],
])('a log of %s is none', async (_of, other) => {
  expect(await reading(other, log)).toHaveLength(1);
});

const dirty = pad('0x', { size: 32 }).replace('0x00', '0x01');
test.each([
  ['a sender wider than an address', withTopic(1, dirty), 'logs[1]'],
  ['a receiver wider than an address', withTopic(2, dirty), 'logs[1]'],
  ['another hash', withTopic(3, pad('0x1')), 'logs[1]'],
  ['a topic of 31 bytes', withTopic(3, `0x${'11'.repeat(31)}`), 'logs[1].topics[3]'],
  ['data that ends early', { ...log, data: log.data.slice(0, 2 + 64 * 4) }, 'logs[1]'],
  ['no data', { ...log, data: '0x' }, 'logs[1]'],
  ['data of half a byte', { ...log, data: '0x1' }, 'logs[1].data'],
  [
    'data of more than a block can pay for',
    { ...log, data: `0x${'00'.repeat(2 ** 22 + 1)}` },
    'logs[1].data',
  ],
  ['no address', { ...log, address: undefined }, 'logs[1].address'],
  ['no topics', { ...log, topics: undefined }, 'logs[1].topics'],
  ['no block', { ...log, blockNumber: null }, 'logs[1].blockNumber'],
  ['a log that is none', 7, 'logs[1]'],
])('refuses %s, and names its place', async (_of, wrong, path) => {
  await expect(reading(log, wrong)).rejects.toThrow(
    expect.objectContaining({ name: 'MessageError', code: 'BAD_ANSWER', path }),
  );
});

test.each([
  ['that is none', 7, 'result'],
  ['without logs', {}, 'result.logs'],
])('refuses a receipt %s', async (_of, receipt, path) => {
  const bad = expect.objectContaining({ code: 'BAD_ANSWER', path });
  await expect(readReceiptMessages(receipt, 'result', { service, tick })).rejects.toThrow(bad);
});

test.each([
  ['data that is no text', { data: 7 }, TypeError, /message\.data/],
  ['data without 0x', { data: 'abcd' }, RangeError, /message\.data/],
  ['half a byte', { data: '0x1' }, RangeError, /message\.data/],
  ['an address of 19 bytes', { from: `0x${'11'.repeat(19)}` }, RangeError, /message\.from/],
  ['a number in place of a bigint', { fee: 1 }, TypeError, /message\.fee/],
  ['a negative value', { value: -1n }, RangeError, /message\.value/],
  ['a number of 2^256', { messageNumber: 2n ** 256n }, RangeError, /message\.messageNumber/],
])('a message with %s has no hash', (_of, wrong, kind, text) => {
  expect(() => messageHash({ ...message, ...wrong } as never)).toThrow(kind);
  expect(() => messageHash({ ...message, ...wrong } as never)).toThrow(text);
});

test('a network without the contract on L2, and bounds that are none, are refused', () => {
  const node = { call: async () => null };
  const own = defineNetwork({ name: 'own', l1ChainId: 1, l2ChainId: 2, rollup: to });
  const open = (more: object) => () =>
    createMessages({ l1: node, l2: node, network: networks.mainnet, ...more } as never);
  expect(open({ network: own })).toThrow(/network\.messageService/);
  expect(open({ maxBlocks: '5' })).toThrow(/maxBlocks.*expected a number/);
  expect(open({ maxBlocks: 0 })).toThrow(/maxBlocks.*from 1/);
  expect(open({ l2: {} })).toThrow(/l2.*transport/);
});
