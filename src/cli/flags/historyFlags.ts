/** The flags of the commands that show proven blocks, transactions and logs. */
import { UsageError } from '../exit/exit.js';
import { quote } from '../print/print.js';
import { fetchFlags, proveFlags, proxyFlags } from './askFlags.js';
import { parseAddress } from './claimValues.js';
import { addressFlag, consensusFlags, l1, l2, maxBlocks, maxRange, network } from './common.js';
import type { Flags } from './flag.js';

/** A block as the library takes it: its number, its hash, or a tag. */
type BlockArgument = number | `0x${string}` | 'latest' | 'safe' | 'finalized' | 'earliest';

const tags = ['latest', 'safe', 'finalized', 'earliest'] as const;

const isHash = (text: string): text is `0x${string}` => /^0x[\da-f]{64}$/i.test(text);

/** Most digits of a number in hex: a hash that lost a digit must not become another block. */
const mostDigits = 13;

/** The number of a block, or a tag. @throws UsageError */
function readNumbered(text: string, name: string): Exclude<BlockArgument, `0x${string}`> {
  const tag = tags.find((one) => one === text);
  if (tag !== undefined) return tag;
  const isHex = /^0x[\da-f]+$/i.test(text) && text.length <= 2 + mostDigits;
  if (isHex || /^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(
    `${name} expected the number of a block, or one of ${tags.join(', ')}; got ${quote(text)}`,
  );
}

/** @throws UsageError */
export function readBlockArgument(text: string): BlockArgument {
  if (isHash(text)) return text;
  if (text === '-') {
    throw new UsageError('BLOCK is required: the number or hash of a block, or latest');
  }
  if (text.startsWith('0x') && text.length > 2 + mostDigits) {
    throw new UsageError(`BLOCK expected a hash of 0x and 64 hex digits; got ${quote(text)}`);
  }
  return readNumbered(text, 'BLOCK');
}

/** An operand that is a hash. @param whose for the message if it is missing @throws UsageError */
export function readHashArgument(
  text: string,
  { name, whose }: { name: string; whose: string },
): `0x${string}` {
  if (isHash(text)) return text;
  throw new UsageError(
    text === '-'
      ? `${name} is required: ${whose}`
      : `${name} expected 0x and 64 hex digits; got ${quote(text)}`,
  );
}

/** @throws UsageError */
export const readTx = (text: string): `0x${string}` =>
  readHashArgument(text, { name: 'TX', whose: 'the hash of the transaction' });

/** One of the topics that may stand at a place. @throws UsageError */
function readOneTopic(text: string, name: string): `0x${string}` {
  if (isHash(text)) return text;
  if (/^0x[\da-f]{40}$/i.test(text)) {
    return `0x${'00'.repeat(12)}${parseAddress(text, name).slice(2)}`;
  }
  throw new UsageError(
    `${name} expected 0x and 64 hex digits, an address, or any; several with commas between them; got ${quote(text)}`,
  );
}

/** What may stand at the place of a topic; null is anything. @throws UsageError */
const readTopic = (text: string, name: string): readonly `0x${string}`[] | null =>
  text === 'any' ? null : text.split(',').map((one) => readOneTopic(one, name));

/** What each of them takes: where answers come from, and who is trusted. */
export const historySource = {
  l2: {
    ...l2,
    required: 'the URL that answers proofs',
    help: 'endpoint that answers proofs, blocks and receipts; it needs no trust',
  },
  l1,
  network,
  node: {
    ...proxyFlags.node,
    help: 'a node of the L2 for all but proofs: blocks, transactions and receipts. It needs no trust; default --l2',
  },
  'max-blocks': maxBlocks,
  'l1-block-hash': fetchFlags['l1-block-hash'],
  ...consensusFlags,
} as const satisfies Flags;

const json = 'print what was proven as JSON, and what it rests on; values are those of JSON-RPC';

export const txFlags = {
  ...historySource,
  json: { group: 'output', help: json },
} as const satisfies Flags;

export const blockFlags = txFlags;

export const logsFlags = {
  address: {
    argument: 'ADDRESS',
    many: true,
    read: parseAddress,
    help: 'contract whose logs are shown; default any',
  },
  topic: {
    argument: 'TOPIC',
    many: true,
    read: readTopic,
    help: 'what the first topic must be, then the second, up to four: 32 bytes of hex, an address, or any; A,B for one of several',
  },
  from: {
    argument: 'BLOCK',
    read: readNumbered,
    help: 'the first block, by its number or earliest; default that of --to',
  },
  to: {
    argument: 'BLOCK',
    read: readNumbered,
    default: 'latest',
    help: 'the last block; latest is the newest whose header is proven',
  },
  ...historySource,
  'max-range': maxRange,
  json: {
    group: 'output',
    help: 'print a line of JSON for each log, and a last one that says what all of them rest on',
  },
} as const satisfies Flags;

/** Flags of `decode` that need `--prove`. */
export const decodeProveFlags = {
  network: { ...network, group: 'source' },
  l1: { ...l1, group: 'source' },
  node: historySource.node,
  'max-blocks': maxBlocks,
  'l1-block-hash': proveFlags['l1-block-hash'],
  ...consensusFlags,
  fork: proveFlags.fork,
} as const satisfies Flags;

export const decodeFlags = {
  l2: {
    ...l2,
    required: 'the URL of a node',
    help: 'a node of the chain; with --prove, what answers proofs, and all else unless --node names the node',
  },
  chain: {
    argument: 'NAME',
    default: 'l2',
    help: 'name of the chain; a node of another chain is refused under linea-mainnet and linea-sepolia-testnet',
  },
  abis: {
    group: 'source',
    argument: 'DIR',
    help: 'folder of JSON files with ABIs of your own; their events are decoded too',
  },
  'wrapped-native': {
    ...addressFlag,
    group: 'source',
    many: true,
    help: "a contract that wraps the chain's native token, if the chain is not a public one",
  },
  prove: {
    help: 'prove transaction, receipt and block under a root that L1 holds, and run the calls that ask for names and decimals on proven state',
  },
  ...decodeProveFlags,
  unknown: { group: 'output', help: 'show logs that are not known, too' },
  json: {
    group: 'output',
    help: 'print the response as a decoder endpoint would answer it; with --prove, also what it rests on',
  },
} as const satisfies Flags;
