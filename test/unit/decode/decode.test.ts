/** Decoding as a whole: order, tokens, quotes, metadata, options, bad input. */
import { encodeAbiParameters, getAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import { prettyQuote, readDecimal } from '../../../src/decode/context/quote.js';
import {
  DecodeError,
  type DecodeInput,
  decodeInPieces,
  decodeTransaction,
  describeChain,
  missingInPieces,
  missingMetadata,
  nativeAddress,
} from '../../../src/decode/index.js';
import {
  addressOf,
  blockHash,
  blockOf,
  chain,
  decode,
  detailsOf,
  emitter,
  eventOf,
  hash,
  logOf,
  receiptOf,
  receiver,
  sender,
  transactionOf,
  txHash,
  type WireLog,
} from '../../support/logs.js';

const transfer = 'event Transfer(address indexed, address indexed, uint256)';
const approval = 'event Approval(address indexed, address indexed, uint256)';
const moved = (amount: bigint, token = emitter) =>
  logOf(transfer, [sender, receiver, amount], token);
const token = { address: emitter, name: 'Gold', symbol: 'GLD', decimals: 18 };

test('four transfers and a user operation, as the interface shows them', () => {
  const account = '0xb5c6a0625e6f01cabf9ddbdf64aaabd1b178e1e2';
  const [first, second] = [addressOf('1'), addressOf('2')];
  const opHash = hash('f');
  const amounts = [
    [first, 1000n],
    [first, 1000n],
    [second, 989n],
    [second, 988n],
  ] as const;
  const operation = logOf(
    'event UserOperationEvent(bytes32 indexed, address indexed, address indexed, uint256, bool, uint256, uint256)',
    [opHash, account, addressOf('0'), 0n, true, 25590122985514n, 426502n],
    '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
  );
  const tokens = [first, second].map((address) => ({ address, symbol: 'TKN', decimals: 18 }));
  const { success, events, explorers } = decode(
    [...amounts.map(([address, amount]) => moved(amount, address)), operation],
    { tokens },
  );
  expect(success).toBe(true);
  expect(events.map(({ name }) => name)).toEqual([
    ...Array.from({ length: 4 }, () => 'Transfer'),
    'User Operation Event',
  ]);
  for (const [i, [, amount]] of amounts.entries()) {
    expect(events[i]).toMatchObject({ action: 'Transferred', category: 'Token' });
    expect(events[i]?.tokens).toEqual([
      {
        heading: 'Token Amount',
        value: String(amount),
        decimals: 18,
        ticker_symbol: 'TKN',
        ticker_logo: '',
        pretty_quote: '$0.00',
      },
    ]);
  }
  expect(events[4]).toEqual({
    action: 'Account Abstraction Transaction',
    category: 'Others',
    name: 'User Operation Event',
    protocol: { name: '4337 Entry Point', logo: '' },
    details: [
      { heading: 'Gas Cost', value: '25590122985514', type: 'text' },
      { heading: 'Gas Used', value: '426502', type: 'text' },
      { heading: 'Paymaster', value: addressOf('0'), type: 'address' },
      {
        heading: 'Sender',
        value: '0xb5c6a0625E6F01CAbF9DDBdf64AaAbd1B178e1E2',
        type: 'address',
      },
      { heading: 'User Operation Hash', value: opHash, type: 'address' },
    ],
  });
  expect(explorers).toEqual([{ label: null, url: `https://lineascan.build/tx/${txHash}` }]);
});

test('the metadata of the transaction', () => {
  const response = decode([], {
    transaction: transactionOf({ value: '0xde0b6b3a7640000' }),
    prices: [{ address: nativeAddress, usd: '1234.567' }],
  });
  expect(response.tx_metadata).toEqual({
    block_signed_at: '2024-01-11T14:49:36.000Z',
    block_height: 16,
    block_hash: blockHash,
    tx_hash: txHash,
    tx_offset: 3,
    successful: true,
    miner_address: addressOf('d'),
    from_address: sender,
    from_address_label: null,
    to_address: receiver,
    to_address_label: null,
    value: '1000000000000000000',
    value_quote: 1234.567,
    pretty_value_quote: '$1,234.56',
    gas_metadata: {
      contract_decimals: 18,
      contract_name: 'Ether',
      contract_ticker_symbol: 'ETH',
      contract_address: nativeAddress,
      supports_erc: null,
      logo_url: null,
    },
    gas_offered: 30000,
    gas_spent: 21000,
    gas_price: 1e9,
    fees_paid: '21000000000000',
    gas_quote: 0.025925907,
    pretty_gas_quote: '$0.02',
    gas_quote_rate: 1234.567,
    source: 'node',
    explorers: response.explorers,
  });
  const { tx_metadata } = decode([], { block: undefined });
  expect(tx_metadata).toMatchObject({
    block_signed_at: null,
    miner_address: null,
    value_quote: null,
    pretty_value_quote: null,
    gas_quote: null,
    pretty_gas_quote: null,
    gas_quote_rate: null,
  });
});

describe('the native transfer', () => {
  const transaction = transactionOf({ value: '0x20000000000001' });

  test('comes first, in smallest units beyond 2^53', () => {
    const { events } = decode([moved(1n)], { transaction });
    expect(events[0]).toEqual({
      action: 'Native Token Transfer',
      category: 'Token',
      name: 'Native Transfer',
      protocol: { name: 'Ether', logo: '' },
      details: [
        { heading: 'From', value: sender, type: 'address' },
        { heading: 'To', value: receiver, type: 'address' },
      ],
      tokens: [
        {
          heading: 'Value',
          value: '9007199254740993',
          decimals: 18,
          ticker_symbol: 'ETH',
          ticker_logo: '',
          pretty_quote: '$0.00',
        },
      ],
    });
    expect(events.length).toBe(2);
  });

  test('is not there if the transaction failed', () => {
    const receipt = receiptOf([], { status: '0x0' });
    const { events, tx_metadata } = decode([], { receipt, transaction });
    expect(events).toEqual([]);
    expect(tx_metadata.successful).toBe(false);
  });

  test('goes to the contract that the transaction creates', () => {
    const created = addressOf('9');
    const receipt = receiptOf([], { to: null, contractAddress: created });
    const { events, tx_metadata } = decode([], {
      receipt,
      transaction: transactionOf({ value: '0x5', to: null }),
    });
    expect(detailsOf(events[0] as never)).toEqual([`From: ${sender}`, `To: ${created}`]);
    expect(tx_metadata.to_address).toBeNull();
  });
});

describe('quotes', () => {
  test.each([
    ['0', '$0.00'],
    ['0.005', '$0.00'],
    ['0.01', '$0.01'],
    ['1234.5', '$1,234.50'],
    ['3004.7673', '$3,004.76'],
    ['999999.999', '$999,999.99'],
    ['1000000', '$1.00M'],
    ['1234567.891', '$1.23M'],
    ['999999999.999', '$999.99M'],
    ['1e9', '$1.00B'],
    ['1000000000000', '$1,000.00B'],
    [1234.5, '$1,234.50'],
    [1e-7, '$0.00'],
    [1e21, '$1,000,000,000,000.00B'],
  ])('%s is %s', (usd, quote) => {
    const value = readDecimal(usd);
    expect(value && prettyQuote(value)).toBe(quote);
    const tokens = [{ ...token, decimals: 0 }];
    const prices = [{ address: getAddress(emitter), usd }];
    expect(eventOf(moved(1n), { tokens, prices }).tokens?.[0]?.pretty_quote).toBe(quote);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -5, '', '-1', '0x10', '1,5', ' 1', null, {}])(
    'a price of %s is ignored',
    (usd) => {
      const prices = [{ address: emitter, usd: usd as string }];
      expect(eventOf(moved(10n ** 30n), { tokens: [token], prices }).tokens).toMatchObject([
        { pretty_quote: '$0.00' },
      ]);
    },
  );

  test('amounts beyond what numbers hold are exact', () => {
    const prices = [{ address: emitter, usd: '0.1' }];
    const amount = 12_345_678_901_234_567_890_123_456_789n;
    expect(eventOf(moved(amount), { tokens: [token], prices }).tokens).toEqual([
      {
        heading: 'Token Amount',
        value: '12345678901234567890123456789',
        decimals: 18,
        ticker_symbol: 'GLD',
        ticker_logo: '',
        pretty_quote: '$1.23B',
      },
    ]);
  });

  test('without decimals there is no quote', () => {
    const prices = [{ address: emitter, usd: 5 }];
    const tokens = [{ address: emitter, symbol: 'GLD' }];
    expect(eventOf(moved(1000n), { tokens, prices }).tokens).toMatchObject([
      { decimals: 0, pretty_quote: '$0.00' },
    ]);
  });

  test('minUsd leaves out what is worth less, and keeps what has no price', () => {
    const prices = [
      { address: emitter, usd: 2 },
      { address: nativeAddress, usd: 2 },
    ];
    const transaction = transactionOf({ value: '0xde0b6b3a7640000' });
    const swapped =
      'event Swap(address indexed, uint256, uint256, uint256, uint256, address indexed)';
    const logs = [
      moved(10n ** 18n),
      logOf(approval, [sender, receiver, 10n ** 18n]),
      moved(10n ** 18n, addressOf('8')),
      logOf(swapped, [sender, 1n, 0n, 0n, 1n, receiver]),
    ];
    const namesAt = (minUsd: number) =>
      decode(logs, { transaction, tokens: [token], prices, minUsd }).events.map(({ name }) => name);
    const all = ['Native Transfer', 'Transfer', 'Approval', 'Transfer', 'Swap'];
    expect(namesAt(2)).toEqual(all);
    expect(namesAt(2.01)).toEqual(['Transfer', 'Swap']);
    expect(() => namesAt(-1)).toThrow(RangeError);
    expect(() => namesAt(Number.NaN)).toThrow(RangeError);
  });
});

describe('names', () => {
  const nameOf = (name: string) =>
    eventOf(moved(1n), { tokens: [{ ...token, name }] }).protocol.name;
  const address = getAddress(emitter);

  test.each([
    ['Gold', 'Gold'],
    ['Go\u0000ld\n', 'Gold'],
    ['\u202eUSDC\u202c', 'USDC'],
    ['U\u200bS\u2066D\u2069C\ufeff', 'USDC'],
    ['\u2028\u2029', address],
    ['   ', address],
    ['\ud800Gold', 'Gold'],
    ['Gold \u{1f947}', 'Gold \u{1f947}'],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['x'.repeat(65), `${'x'.repeat(63)}…`],
    ['\u{1f947}'.repeat(70), `${'\u{1f947}'.repeat(63)}…`],
  ])('%j is shown as %j', (name, shown) => {
    expect(nameOf(name)).toBe(shown);
  });

  test('a name of a million characters costs little', () => {
    expect(nameOf('\u202e'.repeat(1e6)).length).toBeLessThan(65);
    expect(nameOf('x'.repeat(1e6)).length).toBe(64);
  });

  test('symbols are cleaned, logos are URLs of pictures, decimals are in range', () => {
    const seen = (given: object) =>
      eventOf(moved(1n), { tokens: [{ ...token, ...given }] }).tokens?.[0];
    expect(seen({ symbol: '\u202eCDSU' })?.ticker_symbol).toBe('CDSU');
    expect(seen({ logo: 'https://a.example/x.png' })?.ticker_logo).toBe('https://a.example/x.png');
    for (const logo of ['javascript:alert(1)', 'data:text/html,x', 'https://a b', 5]) {
      expect(seen({ logo })?.ticker_logo).toBe('');
    }
    for (const decimals of [-1, 78, 1.5, Number.NaN, '18'])
      expect(seen({ decimals })?.decimals).toBe(0);
    expect(seen({ decimals: 77 })?.decimals).toBe(77);
  });
});

describe('tokens of pools', () => {
  const pool = addressOf('5');
  const [gold, silver] = [addressOf('1'), addressOf('2')];
  const tokens = [
    { address: gold, symbol: 'GLD', decimals: 0 },
    { address: silver, symbol: 'SLV', decimals: 0 },
  ];
  const swap = (amounts: bigint[]) =>
    logOf(
      'event Swap(address indexed, uint256, uint256, uint256, uint256, address indexed)',
      [sender, ...amounts, receiver],
      pool,
    );
  const into = (token: `0x${string}`, amount: bigint) =>
    logOf(transfer, [sender, pool, amount], token);
  const out = (token: `0x${string}`, amount: bigint) =>
    logOf(transfer, [pool, receiver, amount], token);
  const symbols = (logs: WireLog[], options: Partial<DecodeInput> = {}) =>
    decode(logs, { tokens, ...options })
      .events.at(-1)
      ?.tokens?.map((each) => each.ticker_symbol);

  test('are those that moved in exactly these amounts', () => {
    const logs = [out(silver, 9n), into(gold, 10n), swap([10n, 0n, 0n, 9n])];
    expect(symbols(logs)).toEqual(['GLD', 'SLV']);
  });

  test('are not told by transfers of other amounts, other holders or several tokens', () => {
    const swapped = swap([10n, 0n, 0n, 9n]);
    expect(symbols([into(gold, 11n), swapped])).toEqual(['', '']);
    expect(symbols([logOf(transfer, [pool, sender, 10n], gold), swapped])).toEqual(['', '']);
    expect(symbols([into(gold, 10n), into(silver, 10n), swapped])).toEqual(['', '']);
    // Anybody can move nothing.
    const mint = logOf('event Mint(address indexed, uint256, uint256)', [sender, 0n, 10n], pool);
    expect(symbols([into(gold, 0n), into(silver, 10n), mint])).toEqual(['', 'SLV']);
    const dirty = into(gold, 10n);
    dirty.topics[2] = `0x01${dirty.topics[2]?.slice(4)}`;
    expect(symbols([dirty, swapped])).toEqual(['', '']);
  });

  test('are those of the pool itself, if it is known', () => {
    const pools = [{ address: pool, token0: gold, token1: getAddress(silver) }];
    const fake = into(silver, 10n);
    expect(symbols([fake, swap([10n, 0n, 0n, 9n])], { pools })).toEqual(['GLD', 'SLV']);
    expect(symbols([swap([0n, 10n, 9n, 0n])], { pools })).toEqual(['SLV', 'GLD']);
  });

  test('are asked for only if the receipt does not tell', () => {
    const ask = (logs: WireLog[], known: object = {}) =>
      missingMetadata({ receipt: receiptOf(logs), chain, ...known });
    const told = [out(silver, 9n), into(gold, 10n), swap([10n, 0n, 0n, 9n])];
    expect(ask(told)).toEqual({ tokens: [silver, gold], pools: [], prices: [] });
    expect(ask(told, { tokens })).toEqual({ tokens: [], pools: [], prices: [silver, gold] });
    const untold = [into(gold, 11n), swap([10n, 0n, 0n, 9n])];
    expect(ask(untold)).toEqual({ tokens: [gold], pools: [pool], prices: [] });
    const pools = [{ address: pool, token0: gold, token1: silver }];
    expect(ask(untold, { pools })).toEqual({ tokens: [gold, silver], pools: [], prices: [] });
    // What did not answer is not asked again.
    expect(ask(untold, { pools: [{ address: pool }] })).toEqual({
      tokens: [gold],
      pools: [],
      prices: [],
    });
    const silent = [gold, silver].map((address) => ({ address }));
    expect(ask(untold, { pools, tokens: silent })).toEqual({ tokens: [], pools: [], prices: [] });
    expect(ask(untold, { pools, tokens: silent, rawLogs: true }).tokens).toEqual([pool]);
  });
});

test('a token that indexes nothing has amounts, unless it says that it is an ERC-721', () => {
  const log = logOf('event Transfer(address, address, uint256)', [sender, receiver, 0n]);
  expect(eventOf(log).tokens).toMatchObject([{ value: '0' }]);
  const event = eventOf(log, { tokens: [{ ...token, standards: ['erc721'] }] });
  expect(event.tokens).toBeUndefined();
  expect(event.nfts).toEqual([
    {
      heading: 'NFT Transferred',
      collection_name: 'Gold',
      token_identifier: '0',
      collection_address: emitter,
      images: { default: null, 256: null, 512: null, 1024: null },
    },
  ]);
});

test('long lists are cut, and say so', () => {
  const ids = Array.from({ length: 250 }, (_, i) => BigInt(i));
  const event = eventOf(
    logOf(
      'event TransferBatch(address indexed, address indexed, address indexed, uint256[], uint256[])',
      [sender, sender, receiver, ids, ids],
    ),
  );
  expect(event.nfts?.length).toBe(100);
  expect(detailsOf(event).slice(-2)).toEqual(['Amount: 99', 'Not Shown: 150 more']);
  const owners = eventOf(
    logOf('event SafeSetup(address indexed, address[], uint256, address, address)', [
      sender,
      Array.from({ length: 101 }, () => receiver),
      1n,
      sender,
      sender,
    ]),
  );
  expect(detailsOf(owners)[101]).toBe('Owner: 1 more');
});

describe('logs that are not decoded', () => {
  const unknown = (log: WireLog) => eventOf(log, { unknown: true });
  const good = moved(5n);
  const batch = (ids: bigint[], values: bigint[]) =>
    logOf(
      'event TransferBatch(address indexed, address indexed, address indexed, uint256[], uint256[])',
      [sender, sender, receiver, ids, values],
    );
  const words = (...values: string[]) =>
    `0x${values.map((value) => value.padStart(64, '0')).join('')}` as const;
  const bad: Record<string, WireLog> = {
    'of an event nobody knows': { ...good, topics: [hash('0')] },
    'without a topic': { ...good, topics: [] },
    'with a topic too many and data': { ...good, topics: [...good.topics, hash('0')] },
    'with a dirty address': {
      ...good,
      topics: [
        good.topics[0] as never,
        `0x1${good.topics[1]?.slice(3)}` as never,
        good.topics[2] as never,
      ],
    },
    'with data too short': { ...good, data: good.data.slice(0, -2) as never },
    'with data too long': { ...good, data: `${good.data}00` },
    'with a word too many': { ...good, data: `${good.data}${'0'.repeat(64)}` },
    'without data': { ...good, data: '0x' },
    'with half a byte': { ...good, data: '0x123' },
    'with data that are no hex': { ...good, data: `0x${'zz'.repeat(32)}` },
    'with an invalid topic': { ...good, topics: [good.topics[0] as never, '0x12', '0x34'] },
    'with five topics': { ...good, topics: Array.from({ length: 5 }, () => hash('0')) },
    'with a boolean of two': {
      ...logOf('event ApprovalForAll(address indexed, address indexed, bool)', [
        sender,
        receiver,
        true,
      ]),
      data: words('2'),
    },
    'with more ids than values': batch([1n, 2n], [1n]),
    'with lists that lie in one another': {
      ...batch([1n], [1n]),
      data: words('40', '40', '1', '7'),
    },
    'with a list that holds itself': { ...batch([1n], [1n]), data: words('40', '0', '1', '7') },
    'with a list of 2^40 elements': {
      ...batch([1n], [1n]),
      data: words('40', '80', '10000000000', '7', '0'),
    },
    'with lists in another order': {
      ...batch([1n], [1n]),
      data: words('80', '40', '1', '7', '1', '8'),
    },
    'with a text that is no UTF-8': {
      ...logOf('event URI(string, uint256 indexed)', ['a', 1n]),
      data: `0x${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${'c328'.padEnd(64, '0')}`,
    },
    'with a text that ends in more than zeros': {
      ...logOf('event URI(string, uint256 indexed)', ['a', 1n]),
      data: `0x${'20'.padStart(64, '0')}${'1'.padStart(64, '0')}${'6161'.padEnd(64, '0')}`,
    },
    'with a tick beyond 24 bits': {
      ...logOf('event Initialize(uint160, int24)', [1n, 1]),
      data: words('1', '800000'),
    },
    'with a price beyond 160 bits': {
      ...logOf('event Initialize(uint160, int24)', [1n, 1]),
      data: words(`1${'0'.repeat(40)}`, '1'),
    },
  };

  test.each(Object.entries(bad))('%s are nothing, or an unknown event if asked for', (_, log) => {
    expect(decode([log]).events).toEqual([]);
    const event = unknown(log);
    expect(event).toMatchObject({ action: 'Update', category: 'Others', name: 'Unknown Event' });
    expect(event.tokens ?? event.nfts).toBeUndefined();
    for (const { heading } of event.details)
      expect(heading).toMatch(/^(Contract|Topic 0|Log Index)$/);
    // It does not matter to its neighbours.
    const { events } = decode([good, log, moved(6n)]);
    expect(events.map(({ tokens }) => tokens?.[0]?.value)).toEqual(['5', '6']);
  });

  test('say where they stand', () => {
    const [, event] = decode([good, { ...good, topics: [hash('9')] }], { unknown: true }).events;
    expect(event).toEqual({
      action: 'Update',
      category: 'Others',
      name: 'Unknown Event',
      protocol: { name: getAddress(emitter), logo: '' },
      details: [
        { heading: 'Contract', value: getAddress(emitter), type: 'address' },
        { heading: 'Topic 0', value: hash('9'), type: 'address' },
        { heading: 'Log Index', value: '1', type: 'text' },
      ],
    });
  });

  test.each([null, 5, 'log', [], {}, { address: 5 }, { ...good, topics: null }])(
    'may be no logs at all: %j',
    (log) => {
      const receipt = receiptOf([]);
      receipt.logs = [{ ...receiptOf([good]).logs[0] }, log] as never;
      const { events } = decode([], { receipt, unknown: true });
      expect(events.map(({ name }) => name)).toEqual(['Transfer', 'Unknown Event']);
      expect(decode([], { receipt }).events.length).toBe(1);
    },
  );

  test('do not include those that are known to say nothing', () => {
    const sync = logOf('event Sync(uint112, uint112)', [1n, 2n]);
    expect(decode([sync], { unknown: true }).events).toEqual([]);
    expect(unknown({ ...sync, data: `${sync.data}00` }).name).toBe('Unknown Event');
  });
});

test('events carry their logs if asked for', () => {
  const log = logOf('event TextChanged(bytes32 indexed, string indexed, string, string)', [
    hash('1'),
    'url',
    'url',
    'x',
  ]);
  const tokens = [{ ...token, standards: ['erc20'] as const }];
  expect(eventOf(log).raw_log).toBeUndefined();
  const { raw_log } = eventOf(log, { rawLogs: true, tokens });
  expect(raw_log).toEqual({
    block_signed_at: '2024-01-11T14:49:36.000Z',
    block_height: 16,
    tx_offset: 3,
    log_offset: 0,
    tx_hash: txHash,
    raw_log_topics: log.topics,
    sender_contract_decimals: 18,
    sender_name: 'Gold',
    sender_contract_ticker_symbol: 'GLD',
    sender_address: emitter,
    sender_address_label: null,
    sender_logo_url: null,
    supports_erc: ['erc20'],
    sender_factory_address: null,
    raw_log_data: log.data,
    decoded: {
      name: 'TextChanged',
      signature: 'TextChanged(bytes32,string,string,string)',
      params: [
        { name: 'node', type: 'bytes32', indexed: true, decoded: true, value: hash('1') },
        { name: 'indexedKey', type: 'string', indexed: true, decoded: false, value: log.topics[2] },
        { name: 'key', type: 'string', indexed: false, decoded: true, value: 'url' },
        { name: 'value', type: 'string', indexed: false, decoded: true, value: 'x' },
      ],
    },
  });
  const strange = { ...log, topics: [hash('9')] };
  expect(eventOf(strange, { rawLogs: true, unknown: true }).raw_log?.decoded).toBeNull();
});

describe('what is no transaction', () => {
  const refusal = (changes: Partial<DecodeInput>) => {
    try {
      decode([], changes);
    } catch (error) {
      if (error instanceof DecodeError) return `${error.code} ${error.path}`;
      throw error;
    }
    return undefined;
  };
  const receipt = (changes: object) => ({ receipt: receiptOf([], changes) });
  const transaction = (changes: object) => ({ transaction: transactionOf(changes) });
  const block = (changes: object) => ({ block: blockOf(changes) });

  test.each([
    [{ receipt: null }, 'MALFORMED receipt'],
    [{ receipt: 'x' }, 'MALFORMED receipt'],
    [{ receipt: [] }, 'MALFORMED receipt.transactionHash'],
    [{ transaction: null }, 'MALFORMED transaction'],
    [{ block: 5 }, 'MALFORMED block'],
    [receipt({ transactionHash: '0x12' }), 'MALFORMED receipt.transactionHash'],
    [receipt({ status: '0x2' }), 'MALFORMED receipt.status'],
    [receipt({ status: undefined }), 'MALFORMED receipt.status'],
    [receipt({ gasUsed: '21000 gas' }), 'MALFORMED receipt.gasUsed'],
    [receipt({ blockNumber: `0x${'f'.repeat(20)}` }), 'MALFORMED receipt.blockNumber'],
    [receipt({ from: null }), 'MALFORMED receipt.from'],
    [receipt({ logs: {} }), 'MALFORMED receipt.logs'],
    [receipt({ logs: undefined }), 'MALFORMED receipt.logs'],
    [receipt({ logs: Array.from({ length: 16_385 }) }), 'TOO_LARGE receipt.logs'],
    [transaction({ value: '1 ether' }), 'MALFORMED transaction.value'],
    [transaction({ hash: hash('7') }), 'MISMATCH transaction.hash'],
    [transaction({ blockHash: hash('7') }), 'MISMATCH transaction.blockHash'],
    [transaction({ blockHash: null }), 'MALFORMED transaction.blockHash'],
    [transaction({ from: receiver }), 'MISMATCH transaction.from'],
    [transaction({ to: null }), 'MISMATCH transaction.to'],
    [block({ hash: hash('7') }), 'MISMATCH block.hash'],
    [block({ timestamp: 'now' }), 'MALFORMED block.timestamp'],
  ])('%#: %j is refused', (changes, expected) => {
    expect(refusal(changes)).toBe(expected);
  });

  test('is refused by code, path and message', () => {
    expect(() => decode([], { receipt: null })).toThrow(
      '"receipt" expected an object, got null (MALFORMED)',
    );
    const trap = new Proxy(receiptOf([]), {
      getOwnPropertyDescriptor: () => {
        throw new Error('trap');
      },
    });
    expect(() => decode([], { receipt: trap })).toThrow(
      expect.objectContaining({ name: 'DecodeError', code: 'MALFORMED' }),
    );
  });

  test('with more data than is decoded is refused', () => {
    const data = `0x${'00'.repeat(2 << 20)}` as const;
    const logs = [1, 2, 3].map(() => ({ ...moved(1n), data }));
    expect(refusal({ receipt: receiptOf(logs.slice(0, 2)) })).toBeUndefined();
    expect(refusal({ receipt: receiptOf(logs) })).toBe('TOO_LARGE ');
  });

  test('by wrong options is the caller own mistake', () => {
    const wrong: [unknown, string][] = [
      [{ chain: undefined }, 'chain'],
      [{ chain: { ...chain, contracts: { entryPoint: ['0x12'] } } }, 'chain.contracts.entryPoint'],
      [{ tokens: {} }, 'tokens'],
      [{ tokens: [null] }, 'tokens[0]'],
      [{ tokens: [{ address: '0x12' }] }, 'tokens[0].address'],
      [{ pools: [{ address: emitter, token0: emitter, token1: '0x' }] }, 'pools[0].token1'],
      [{ prices: [{ usd: 1 }] }, 'prices[0].address'],
      [{ abis: {} }, 'abis'],
    ];
    for (const [options, name] of wrong) {
      expect(() => decode([], options as Partial<DecodeInput>), name).toThrow(TypeError);
      expect(() => decode([], options as Partial<DecodeInput>)).toThrow(`"${name}`);
    }
    expect(() => decodeTransaction(undefined as never)).toThrow('"input" expected an object');
  });
});

test('a polluted prototype lends nothing', () => {
  const names = [
    ...[
      'tokens',
      'pools',
      'prices',
      'unknown',
      'rawLogs',
      'minUsd',
      'block',
      'abis',
      'logo',
      'role',
    ],
    ...[
      'isKnown',
      'isSilent',
      'hasMinimum',
      'standard',
      'details',
      'nfts',
      'trade',
      'when',
      'side',
    ],
    ...['own', 'isAllowance', 'amount', 'indexed', 'style', 'symbol', 'decimals', 'standards', '2'],
  ];
  const logs = [
    moved(1n),
    logOf(approval, [sender, receiver, 2n ** 256n - 1n]),
    logOf('event Deposit(address indexed, uint256)', [sender, 5n]),
    logOf('event Mint(address indexed, uint256, uint256)', [sender, 5n, 6n]),
  ];
  const input = { receipt: receiptOf(logs), transaction: transactionOf(), chain };
  const plain = JSON.stringify(decodeTransaction(input));
  let response: string;
  try {
    for (const name of names) Reflect.set(Object.prototype, name, true);
    response = JSON.stringify(decodeTransaction(input));
  } finally {
    for (const name of names) Reflect.deleteProperty(Object.prototype, name);
  }
  expect(response).toBe(plain);
});

test('a chain of another native token', () => {
  const other = {
    ...describeChain({ name: 'dev', id: 31337 }),
    nativeToken: {
      name: 'Dev\u202e',
      symbol: 'DEV',
      decimals: 6,
      logo: 'https://dev.example/l.png',
    },
    explorers: ['https://a.example/', 'https://b.example'],
  };
  const transaction = transactionOf({ value: '0xf4240' });
  const prices = [{ address: nativeAddress, usd: '3' }];
  const { events, explorers } = decode([], { chain: other, transaction, prices });
  expect(events[0]?.protocol).toEqual({ name: 'Dev', logo: 'https://dev.example/l.png' });
  expect(events[0]?.tokens).toMatchObject([
    { ticker_symbol: 'DEV', decimals: 6, pretty_quote: '$3.00' },
  ]);
  expect(explorers.map(({ url }) => url)).toEqual([
    `https://a.example/tx/${txHash}`,
    `https://b.example/tx/${txHash}`,
  ]);
});

test('thousands of logs can be decoded in pieces, and that can be ended', async () => {
  const logs = Array.from({ length: 1000 }, (_, i) => moved(BigInt(i), addressOf(i + 1)));
  const input = { receipt: receiptOf(logs), transaction: transactionOf(), chain, unknown: true };
  let pauses = 0;
  const pause = async () => {
    pauses++;
  };
  expect(await decodeInPieces(input, pause)).toEqual(decodeTransaction(input));
  expect(pauses).toBe(7);
  expect(await missingInPieces(input, pause)).toEqual(missingMetadata(input));
  expect(pauses).toBe(14);
  const end = () => Promise.reject(new Error('gone'));
  await expect(decodeInPieces(input, end)).rejects.toThrow('gone');
  await expect(missingInPieces(input, end)).rejects.toThrow('gone');
  await expect(decodeInPieces({ ...input, receipt: null }, pause)).rejects.toMatchObject({
    name: 'DecodeError',
    code: 'MALFORMED',
  });
});

test('ten thousand logs are decoded in order', () => {
  const logs = Array.from({ length: 10_000 }, (_, i) => moved(BigInt(i)));
  const { events } = decode(logs);
  expect(events.map(({ tokens }) => tokens?.[0]?.value)).toEqual(logs.map((_, i) => String(i)));
});

test('data of the encoder are what is read', () => {
  const data = encodeAbiParameters([{ type: 'uint256' }], [5n]);
  expect(moved(5n).data).toBe(data);
});
