/**
 * `npm run bench -- decode`: a receipt of 1,000 mixed logs. Ours reads the receipt, finds out which event each log is, checks
 * that it encodes to the very same bytes, and describes it for people, with tokens and quotes. viem and ethers are told
 * which event each log is and decode its arguments. By processor time, side by side; writes DECODE.md.
 */
import { strict as assert } from 'node:assert';
import { Interface } from 'ethers';
import { type AbiEvent, decodeEventLog, type Hex, parseAbiItem } from 'viem';
import { decodeTransaction, missingMetadata } from '../src/decode/index.js';
import { chain, logOf, receiptOf, transactionOf, type WireLog } from '../test/support/logs.js';
import { madeBy, pageOf } from './frame.js';
import { interleave, ratioOf, spreadOf, timed } from './measure.js';
import { publish } from './pictures.js';
import { ratioTable, time } from './report.js';

/** Always the same numbers. */
let state = 1;
function random(below: number): number {
  state = (state * 48_271) % 2_147_483_647;
  return state % below;
}
const addressOf = (kind: string, i: number): Hex =>
  `0x${(BigInt(i + 1) * 0x9e3779b97f4a7c15f39cc0605cedc834n ** 2n).toString(16).slice(0, 39).padStart(39, '5')}${kind}`;
const account = () => addressOf('a', random(400));
const token = () => addressOf('b', random(60));
const pool = () => addressOf('c', random(60));
const amount = () => BigInt(random(1e9)) ** 3n;
const hash = (): Hex => `0x${amount().toString(16).padStart(64, '3')}`;
const bytes = (width: number): Hex => `0x${'a7'.repeat(width)}`;

/** What a busy block has, in hundredths. */
const kinds: [share: number, event: string, args: () => unknown[], emitter: () => Hex][] = [
  [
    38,
    'Transfer(address indexed from, address indexed to, uint256 value)',
    () => [account(), account(), amount()],
    token,
  ],
  [
    10,
    'Approval(address indexed owner, address indexed spender, uint256 value)',
    () => [account(), account(), amount()],
    token,
  ],
  [
    6,
    'Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
    () => [account(), account(), amount()],
    token,
  ],
  [
    10,
    'Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
    () => [account(), amount(), 0n, 0n, amount(), account()],
    pool,
  ],
  [
    10,
    'Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
    () => [account(), account(), amount(), -amount(), 2n ** 96n, amount(), -random(800_000)],
    pool,
  ],
  [5, 'Deposit(address indexed dst, uint256 wad)', () => [account(), amount()], token],
  [
    4,
    'UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
    () => [hash(), account(), account(), 5n, true, amount(), amount()],
    () => '0x0000000071727de22e5e9d8baf0edac6f37da032',
  ],
  [
    4,
    'Supply(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referralCode)',
    () => [token(), account(), account(), amount(), 0],
    pool,
  ],
  [
    3,
    'TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
    () => [account(), account(), account(), amount(), 1n],
    token,
  ],
  [
    3,
    'TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
    () => [account(), account(), account(), [1n, 2n, amount()], [amount(), 1n, 1n]],
    token,
  ],
  [
    3,
    'MessageSent(address indexed _from, address indexed _to, uint256 _fee, uint256 _value, uint256 _nonce, bytes _calldata, bytes32 indexed _messageHash)',
    () => [account(), account(), 1n, amount(), 9n, bytes(132), hash()],
    () => '0x508ca82df566dcd1b0de8296e70a96332cd644ec',
  ],
  [
    2,
    'SafeMultiSigTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures, bytes additionalInfo)',
    () => [
      account(),
      amount(),
      bytes(68),
      0,
      0n,
      0n,
      0n,
      account(),
      account(),
      bytes(130),
      bytes(96),
    ],
    pool,
  ],
  [
    1,
    'TextChanged(bytes32 indexed node, string indexed indexedKey, string key, string value)',
    () => [hash(), 'url', 'url', 'https://example.com/profile'],
    pool,
  ],
  [
    1,
    'OrderFulfilled(bytes32 orderHash, address indexed offerer, address indexed zone, address recipient, (uint8 itemType, address token, uint256 identifier, uint256 amount)[] offer, (uint8 itemType, address token, uint256 identifier, uint256 amount, address recipient)[] consideration)',
    () => [
      hash(),
      account(),
      account(),
      account(),
      [{ itemType: 2, token: token(), identifier: amount(), amount: 1n }],
      [
        {
          itemType: 0,
          token: addressOf('0', 0),
          identifier: 0n,
          amount: amount(),
          recipient: account(),
        },
        {
          itemType: 0,
          token: addressOf('0', 0),
          identifier: 0n,
          amount: amount(),
          recipient: account(),
        },
      ],
    ],
    pool,
  ],
];

interface Told {
  readonly log: WireLog;
  /** Read by viem and ethers alike. */
  readonly declaration: string;
}

const told: Told[] = kinds
  .flatMap(([share, event, args, emitter]) =>
    Array.from({ length: 10 * share }, () => ({
      log: logOf(`event ${event}`, args(), emitter()),
      declaration: `event ${event}`,
      place: random(1e6),
    })),
  )
  .sort((a, b) => a.place - b.place);
assert.equal(told.length, 1000);

const receipt = receiptOf(told.map(({ log }) => log));
const transaction = transactionOf();
const wanted = missingMetadata({ receipt, chain });
const tokens = wanted.tokens.map((address, i) => ({
  address,
  name: `Token ${i}`,
  symbol: `TK${i}`,
  decimals: i % 19,
}));
const prices = tokens.map(({ address }, i) => ({ address, usd: `${i}.25` }));
const input = { receipt, transaction, chain, tokens, prices };
const ours = () => decodeTransaction(input);
// All of them are told apart and described.
assert.equal(ours().events.length, 1000);

/** A decoder by topic and number of topics: which event a log is, is known. */
function byTopic<T>(make: (declaration: string) => T): Map<string, T> {
  const map = new Map<string, T>();
  for (const { log, declaration } of told) {
    const key = `${log.topics[0]} ${log.topics.length}`;
    if (!map.has(key)) map.set(key, make(declaration));
  }
  return map;
}
const viemItems = byTopic((declaration) => [parseAbiItem(declaration) as AbiEvent]);
const ethersItems = byTopic((declaration) => new Interface([declaration]));
const logs = told.map(({ log }) => log);
const find = <T>(items: Map<string, T>, { topics }: WireLog) =>
  items.get(`${topics[0]} ${topics.length}`) as T;
const viem = () =>
  logs.map((log) =>
    decodeEventLog({ abi: find(viemItems, log), topics: log.topics as never, data: log.data }),
  );
const ethers = () => logs.map((log) => find(ethersItems, log).parseLog(log));
assert.ok(viem().every(({ args }) => args !== undefined));
assert.ok(ethers().every((log) => log !== null));

const samples = interleave({ ours: timed(ours), viem: timed(viem), ethers: timed(ethers) });
const table = ratioTable([
  {
    what: 'decodeTransaction, to viem decodeEventLog by topic',
    figure: ratioOf(samples.ours, samples.viem),
    target: { must: 1.5, stretch: 1, good: 'below' },
  },
  {
    what: 'ethers parseLog by topic, to decodeTransaction',
    figure: ratioOf(samples.ethers, samples.ours),
    target: { must: 3, stretch: 5, good: 'above' },
  },
]);
const names = { ours: 'l2proof', viem: 'viem', ethers: 'ethers' };
const each = Object.entries(samples).map(([name, values]) => [
  names[name as keyof typeof names],
  time(spreadOf(values).median / 1000),
]);
const page = pageOf({
  title: 'Decoding of transactions',
  about: `A receipt of 1,000 logs of ${kinds.length} events, decoded as a whole, by processor time. \`decodeTransaction\` reads the
    receipt, tells the events apart, checks that each log is what encoding its values gives, and describes it with token and
    quote. viem and ethers are told which event each log is, and decode the arguments.`,
  made: madeBy('npm run bench -- decode'),
  tables: [table, { head: ['a log', 'time'], rows: each }],
  shows: 'The decoder does more than viem for each log and takes less time for it.',
});
console.log(publish('DECODE.md', page));
