/** Logs by themselves, against what decoding their whole transaction says of them. */
import { expect, test } from 'vitest';
import { decodeTransaction, describeChain } from '../../../src/decode/index.js';
import { toRawLogs } from '../../../src/decode/rawLogs.js';

const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}` as const;
const token = `0x${'c0'.repeat(20)}` as const;
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const hash = word(1);
const logs = [
  { address: token, topics: [transfer, word(5), word(6)] as const, data: word(77) },
  { address: token, topics: [word(9)] as const, data: '0x' as const },
  { address: token, topics: [] as const, data: '0x12' as const },
];
const chain = describeChain({ name: 'here', id: 59144 });
const tokens = [{ address: token, name: 'Gold', symbol: 'GLD', decimals: 18 }];

test('each is as in its transaction, and one that nobody knows is not decoded', () => {
  const place = { blockHash: word(2), blockNumber: '0x9', transactionIndex: '0x3' };
  const from = word(3).slice(0, 42);
  const receipt = {
    ...{ ...place, transactionHash: hash, from, to: token, contractAddress: null, status: '0x1' },
    ...{ gasUsed: '0x1', effectiveGasPrice: '0x1' },
    logs: logs.map((log, i) => ({ ...log, logIndex: i + 4 })),
  };
  const transaction = { ...place, hash, from, to: token, value: '0x0', gas: '0x1' };
  const block = { hash: place.blockHash, timestamp: '0x64', miner: from };
  const input = { receipt, transaction, block, chain, tokens, unknown: true, rawLogs: true };
  const expected = decodeTransaction(input).events.map((event) => event.raw_log);
  const placed = logs.map((log, i) => ({
    log: { ...log, index: i + 4 },
    receipt: { hash, blockNumber: 9, transactionIndex: 3 },
    block: { timestamp: 100 },
  }));
  const known = { chain, tokens, abis: undefined };
  const raw = toRawLogs(placed, { ...known, skipDecode: false });
  expect(raw).toEqual(expected);
  expect(raw.map(({ decoded }) => decoded?.name)).toEqual(['Transfer', undefined, undefined]);
  expect(toRawLogs(placed, { ...known, skipDecode: true })).toEqual(
    expected.map((log) => ({ ...log, decoded: null })),
  );
});
