/** The form of a decode response against what decoding gives: the same members, everywhere. */
import { expect, test } from 'vitest';
import { decodeForm } from '../../../../src/decode/definition/form.js';
import { decodeTransaction, describeChain } from '../../../../src/decode/index.js';

type Shape = string | { readonly [name: string]: Shape } | readonly [Shape];

/** Names of members alone; null where a value is a leaf. */
const form = decodeForm<Shape>({
  ...{ text: 'leaf', number: 'leaf', boolean: 'leaf', yes: 'leaf', count: 'leaf', integer: 'leaf' },
  ...{ address: 'leaf', hash: 'leaf', bytes: 'leaf' },
  nullable: (value) => value,
  optional: (value) => value,
  required: (value) => value,
  unread: (value) => value,
  list: (item) => [item],
  object: (members) => members,
  note: (value) => value,
});

/** Members that an answer has and the form has not, and the other way round, unless they may be missing. */
function faults(value: unknown, shape: Shape, at: string): string[] {
  if (typeof shape === 'string' || value === null) return [];
  if (Array.isArray(shape)) {
    return (value as unknown[]).flatMap((one, i) => faults(one, shape[0] as Shape, `${at}[${i}]`));
  }
  const members = shape as { readonly [name: string]: Shape };
  const given = value as Record<string, unknown>;
  const maybe = ['tokens', 'nfts', 'raw_log'];
  return [
    ...Object.keys(given).filter((name) => !(name in members)),
    ...Object.keys(members).filter((name) => !(name in given) && !maybe.includes(name)),
    ...Object.entries(given).flatMap(([name, one]) =>
      name in members ? faults(one, members[name] as Shape, `${at}.${name}`) : [],
    ),
  ].map((name) => (name.startsWith(at) ? name : `${at}.${name}`));
}

const hex = (text: string, width: number) => `0x${text.padStart(2 * width, '0')}`;

test('is that of answers', () => {
  const place = { blockHash: hex('b', 32), blockNumber: '0x5', transactionIndex: '0x0' };
  const topics = [
    // Transfer(address,address,uint256)
    '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    ...[hex('aa', 32), hex('bb', 32)],
  ];
  const log = (logIndex: string, more: string[]) => ({
    ...{ address: hex('cc', 20), topics: [...topics, ...more], logIndex, removed: false },
    ...{ data: more.length > 0 ? '0x' : hex('7', 32), transactionHash: hex('1', 32), ...place },
  });
  const receipt = {
    ...{ transactionHash: hex('1', 32), ...place, from: hex('aa', 20), to: hex('cc', 20) },
    ...{ contractAddress: null, gasUsed: '0x5208', cumulativeGasUsed: '0x5208', status: '0x1' },
    ...{
      effectiveGasPrice: '0x7',
      type: '0x2',
      logs: [log('0x0', []), log('0x1', [hex('9', 32)])],
    },
  };
  const transaction = {
    ...{ hash: hex('1', 32), ...place, from: hex('aa', 20), to: hex('cc', 20), value: '0x7' },
    ...{ gas: '0x5208', gasPrice: '0x7', nonce: '0x0', type: '0x2' },
  };
  const chain = describeChain({ name: 'l2-mainnet', id: 59144 });
  const answer = decodeTransaction({ receipt, transaction, chain, rawLogs: true });
  const { events } = answer;
  // One of the value, and of each kind of token.
  expect(events.map((event) => Object.keys(event).sort().join())).toEqual([
    expect.stringMatching(/tokens/),
    expect.stringMatching(/raw_log,tokens/),
    expect.stringMatching(/nfts.*raw_log/),
  ]);
  expect(faults(answer, form, 'answer')).toEqual([]);
  expect(faults({ ...answer, x: 1 }, form, 'answer')).toEqual(['answer.x']);
});
