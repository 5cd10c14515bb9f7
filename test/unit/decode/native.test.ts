/** Logs of native value (EIP-7708), as receipts have them since Amsterdam: made here, for no node writes them yet. */
import { describe, expect, test } from 'vitest';
import { missingMetadata, nativeAddress, parseAbis } from '../../../src/decode/index.js';
import {
  addressOf,
  chain,
  decode,
  detailsOf,
  emitter,
  logOf,
  receiptOf,
  receiver,
  sender,
  transactionOf,
} from '../../support/logs.js';

const native = '0xfffffffffffffffffffffffffffffffffffffffe';
const declaration = 'event Transfer(address indexed, address indexed, uint256)';
const moved = (from: `0x${string}`, to: `0x${string}`, amount: bigint, address = native) =>
  logOf(declaration, [from, to, amount], address as `0x${string}`);
const burnt = logOf('event Burn(address indexed, uint256)', [emitter, 7n], native);
const own = moved(sender, receiver, 5n);
const inner = moved(receiver, emitter, 3n);
const five = { transaction: transactionOf({ value: '0x5' }) };
const prices = [{ address: nativeAddress, usd: '1000' }];
const ether = (value: string) => ({
  ...{ heading: 'Value', value, decimals: 18, ticker_symbol: 'ETH', ticker_logo: '' },
  pretty_quote: '$0.00',
});
/** Lists that claim to know the address. */
const pretended = { address: native, name: 'False', symbol: 'FALSE', decimals: 0 } as const;

test('the topics are those of the EIP', () => {
  expect(own.topics[0]).toBe('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef');
  expect(burnt.topics[0]).toBe(
    '0xcc16f5dbb4873280815c1ee09dbd06736cffcc184412cf7a71a0fdb75d397ca5',
  );
});

describe('the value of the transaction', () => {
  test('is shown once, as before the fork', () => {
    const before = decode([], five).events;
    expect(before).toHaveLength(1);
    for (const log of [
      own,
      { ...own, address: native.toUpperCase().replace('0X', '0x') as never },
    ]) {
      expect(decode([log], five).events).toEqual(before);
    }
    expect(decode([own, inner], five).events.map(detailsOf)).toEqual([
      [`From: ${sender}`, `To: ${receiver}`],
      [expect.stringMatching(/^From: 0xbb/i), expect.stringMatching(/^To: 0xcc/i)],
    ]);
  });

  test('is shown once if it creates a contract', () => {
    const created = addressOf('9');
    const receipt = receiptOf([moved(sender, created, 5n)], { to: null, contractAddress: created });
    const transaction = transactionOf({ value: '0x5', to: null });
    const { events } = decode([], { receipt, transaction });
    expect(events.map(({ tokens }) => tokens)).toEqual([[ether('5')]]);
  });

  test('has its log if logs are wanted', () => {
    const [event, ...others] = decode([own], { ...five, rawLogs: true }).events;
    expect(others).toEqual([]);
    expect(event?.raw_log).toMatchObject({
      ...{ sender_address: native, sender_name: null, supports_erc: null, log_offset: 0 },
      ...{ raw_log_topics: own.topics, raw_log_data: own.data },
      ...{ sender_contract_decimals: 18, sender_contract_ticker_symbol: 'ETH' },
      decoded: { name: 'Transfer' },
    });
    expect(decode([], { ...five, rawLogs: true }).events[0]).not.toHaveProperty('raw_log');
  });

  test('takes no other transfer away', () => {
    const others = [
      moved(sender, receiver, 4n),
      moved(receiver, sender, 5n),
      moved(sender, emitter, 5n),
      moved(sender, receiver, 5n, emitter),
    ];
    for (const log of others) expect(decode([log], five).events).toHaveLength(2);
    // The sender's own code may send the same once more.
    expect(decode([own, own], five).events).toHaveLength(2);
    // A transaction without value moved nothing itself, and one that failed moved nothing.
    expect(decode([own]).events).toHaveLength(1);
    const receipt = receiptOf([own], { status: '0x0' });
    expect(decode([], { ...five, receipt }).events).toHaveLength(1);
  });

  test('is left out with its log if it is worth too little', () => {
    expect(decode([own, inner, burnt], { ...five, prices, minUsd: 1 }).events).toEqual([]);
  });
});

test('inner transfers and burns are of the native token', () => {
  const { events } = decode([inner, burnt], { tokens: [pretended], unknown: true });
  expect(events).toMatchObject([
    {
      ...{ action: 'Native Token Transfer', category: 'Token', name: 'Native Transfer' },
      ...{ protocol: { name: 'Ether', logo: '' }, tokens: [ether('3')] },
    },
    { name: 'Native Burn', protocol: { name: 'Ether' }, tokens: [ether('7')] },
  ]);
  expect(events[1]?.details).toHaveLength(1);
  const priced = decode([moved(receiver, emitter, 10n ** 18n)], { prices }).events;
  expect(priced[0]?.tokens?.[0]?.pretty_quote).toBe('$1,000.00');
});

test('nothing is asked about the address', () => {
  const receipt = receiptOf([
    own,
    inner,
    burnt,
    logOf('event Sync(uint112, uint112)', [1n, 2n], native),
  ]);
  for (const more of [{}, { unknown: true }, { rawLogs: true }]) {
    const { tokens, pools } = missingMetadata({ receipt, chain, ...more });
    expect([...tokens, ...pools]).toEqual([]);
  }
});

test('no other form of log of that address is a token, nor what an ABI calls it', () => {
  const forms = ['address indexed, address indexed, uint256', 'address indexed, uint256'];
  const [three, two] = forms as [string, string];
  const abis = parseAbis({ 'a.json': [`event Approval(${three})`, `event Minted(${two})`] });
  const logs = [
    logOf(
      'event Transfer(address indexed, address indexed, uint256 indexed)',
      [sender, receiver, 5n],
      native,
    ),
    logOf('event Transfer(address, address, uint256)', [sender, receiver, 5n], native),
    logOf(
      'event Approval(address indexed, address indexed, uint256)',
      [sender, receiver, 5n],
      native,
    ),
  ];
  logs.push(logOf(`event Minted(${two})`, [sender, 5n], native));
  for (const log of logs) expect(decode([log], { abis, tokens: [pretended] }).events).toEqual([]);
});

test("an ABI's own burn is still shown for other addresses", () => {
  const event = 'event Burn(address indexed burner, uint256 amount)';
  const abis = parseAbis({ 'a.json': [event] });
  const { events } = decode([logOf(event, [sender, 7n]), burnt], { abis });
  expect(events.map(({ name }) => name)).toEqual(['Burn', 'Native Burn']);
});

test('the same logs of other addresses are what they were', () => {
  for (const address of [emitter, `0x${'f'.repeat(40)}`, nativeAddress] as const) {
    const [transfer, ...others] = decode([moved(receiver, sender, 3n, address)]).events;
    expect(others).toEqual([]);
    expect(transfer?.name).toBe('Transfer');
    const burn = logOf('event Burn(address indexed, uint256)', [emitter, 7n], address);
    expect(decode([burn]).events).toEqual([]);
  }
});

test('what a market takes in native value is named', () => {
  const mint = logOf('event Mint(address, uint256, uint256)', [sender, 5n, 50n]);
  const tokensOf = (logs: Parameters<typeof decode>[0]) =>
    decode(logs)
      .events.find(({ name }) => name === 'Mint')
      ?.tokens?.map((one) => one.ticker_symbol);
  expect(tokensOf([moved(sender, emitter, 5n), mint])).toContain('ETH');
  // Beside a transfer of a token in the same amount, the token counts, as before there were logs of native value.
  const other = moved(sender, emitter, 5n, addressOf('7'));
  expect(tokensOf([moved(sender, emitter, 5n), other, mint])).not.toContain('ETH');
});

describe('native value beside tokens of the same amount', () => {
  const [gold, silver] = [addressOf('7'), addressOf('8')];
  const tokens = [
    { address: gold, name: 'Gold', symbol: 'GOLD', decimals: 6 },
    { address: silver, name: 'Silver', symbol: 'SILVER', decimals: 6 },
  ];
  const v2 = logOf(
    'event Swap(address indexed, uint256, uint256, uint256, uint256, address indexed)',
    [sender, 5n, 0n, 0n, 9n, receiver],
  );
  const v3 = logOf(
    'event Swap(address indexed, address indexed, int256, int256, uint160, uint128, int24)',
    [sender, receiver, 5n, -9n, 1n, 1n, 1],
  );
  const v4 = logOf(
    'event Swap(bytes32 indexed, address indexed, int128, int128, uint160, uint128, int24, uint24)',
    [`0x${'12'.repeat(32)}`, sender, -5n, 9n, 1n, 1n, 1, 1],
  );
  const into = moved(sender, emitter, 5n, gold);
  const out = moved(emitter, receiver, 9n, silver);
  const symbols = (logs: Parameters<typeof decode>[0]) =>
    decode(logs, { tokens })
      .events.find(({ category }) => category === 'DEX')
      ?.tokens?.map((one) => one.ticker_symbol);

  test.each(Object.entries({ v2, v3, v4 }))('a pool of %s keeps its tokens', (_, swap) => {
    const [nativeIn, nativeOut] = [moved(sender, emitter, 5n), moved(emitter, receiver, 9n)];
    const pair = ['GOLD', 'SILVER'];
    expect(symbols([into, out, swap])).toEqual(pair);
    expect(symbols([nativeIn, into, out, nativeOut, swap])).toEqual(pair);
    expect(symbols([into, nativeIn, nativeOut, out, swap])).toEqual(pair);
    // What a pool takes or gives in native value alone is still named.
    expect(symbols([nativeIn, out, swap])).toEqual(['ETH', 'SILVER']);
    expect(symbols([into, nativeOut, swap])).toEqual(['GOLD', 'ETH']);
    // Native value of another amount, or the other way, says nothing.
    expect(symbols([moved(emitter, sender, 5n), moved(sender, emitter, 6n), swap])).toEqual([
      '',
      '',
    ]);
  });

  test('two tokens still blot each other out, and native value does not take their place', () => {
    const twice = [into, moved(sender, emitter, 5n, silver), moved(sender, emitter, 5n)];
    expect(symbols([...twice, out, v4])).toEqual(['', 'SILVER']);
  });
});

test('a log has the unit of its value: of the chain, also if it is not called Ether', () => {
  const nativeToken = { name: 'Own', symbol: 'OWN', decimals: 9 };
  const { events } = decode([inner, moved(receiver, sender, 3n, emitter)], {
    ...{ rawLogs: true, chain: { ...chain, nativeToken }, tokens: [pretended] },
  });
  expect(events.map(({ raw_log: log }) => log)).toMatchObject([
    { sender_contract_decimals: 9, sender_contract_ticker_symbol: 'OWN', sender_name: null },
    { sender_contract_decimals: null, sender_contract_ticker_symbol: null, sender_name: null },
  ]);
});
