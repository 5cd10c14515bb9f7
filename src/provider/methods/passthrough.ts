/** Requests that go to the server as they are, and whose answers are not verified: only those that the caller names. */
import { wrongType } from '../../errors.js';
import { ownMembers } from '../../foreign/argument.js';
import { ownMember } from '../../foreign/members.js';

/**
 * A method, a method at one tag only, or what sending a transaction needs. Of a method about blocks that is named without a
 * tag, only what cannot be proven is let through.
 */
export type Passthrough =
  | 'send'
  | (string & {})
  | {
      /** A method that takes a block, for example `eth_getTransactionCount`. */
      readonly method: string;
      /** The one tag at which it is let through, for example `pending`. */
      readonly tag: string;
    };

/** Place of the block among the parameters, of methods that may be let through at one tag. */
const blockPlaces: ReadonlyMap<string, number> = new Map([
  ['eth_getBalance', 1],
  ['eth_getTransactionCount', 1],
  ['eth_getStorageAt', 2],
  ['eth_getCode', 1],
  ['eth_getBlockByNumber', 0],
  ['eth_getBlockTransactionCountByNumber', 0],
  ['eth_getTransactionByBlockNumberAndIndex', 0],
  ['eth_getHeaderByNumber', 0],
  ['eth_getBlockReceipts', 0],
  ['eth_call', 1],
  ['eth_estimateGas', 1],
  ['eth_createAccessList', 1],
  ['eth_feeHistory', 1],
]);

/** Tags that a proven method cannot answer; the other tags mean the anchored block. */
const unprovenTags = ['pending', 'safe', 'earliest'];
const tags = ['latest', 'finalized', ...unprovenTags];

/** The pending nonce, fees, and what became of a transaction. cast, and all that alloy makes, estimates gas at pending. */
const sending: readonly Passthrough[] = [
  { method: 'eth_getTransactionCount', tag: 'pending' },
  { method: 'eth_estimateGas', tag: 'pending' },
  'eth_getBlockByNumber',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_maxPriorityFeePerGas',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
];

/**
 * @param answered whether a method is answered here already
 * @returns the method, and the tag at which it is let through: undefined for all
 * @throws TypeError that names the entry
 */
function checkEntry(
  entry: unknown,
  at: string,
  answered: (method: string) => boolean,
): [method: string, tag: string | undefined] {
  if (typeof entry === 'string') {
    if (!/^\w{1,64}$/.test(entry)) throw wrongType(at, 'expected the name of a method');
    if (!answered(entry)) return [entry, undefined];
    const advice = blockPlaces.has(entry)
      ? `; name one tag, { method: '${entry}', tag: 'pending' }`
      : '';
    throw wrongType(at, `names ${entry}, which needs no passing through${advice}`);
  }
  const { method, tag } = ownMembers(
    entry as { method: string; tag: string },
    ['method', 'tag'],
    at,
  );
  if (typeof method !== 'string' || !blockPlaces.has(method)) {
    const known = [...blockPlaces.keys()].join(', ');
    throw wrongType(`${at}.method`, `expected one of ${known}`);
  }
  const possible = answered(method) ? unprovenTags : tags;
  if (!possible.includes(tag)) {
    throw wrongType(`${at}.tag`, `expected one of ${possible.join(', ')}`);
  }
  return [method, tag];
}

/** Whether a request names its block by one of the tags. */
function isAtTag(method: string, params: unknown, tags: ReadonlySet<unknown>): boolean {
  if (!Array.isArray(params)) return false;
  const place = blockPlaces.get(method);
  // Nodes take a missing block for the newest.
  return place !== undefined && tags.has(ownMember(params, place) ?? 'latest');
}

/** Tags of blocks that the server may know and no root proves yet. */
const newestTags: ReadonlySet<unknown> = new Set(['latest', 'safe', 'pending']);

/** Whether a request asks for the server's newest blocks, by a tag or by saying nothing. */
function namesNewest(method: string, params: unknown): boolean {
  if (method !== 'eth_getLogs') return isAtTag(method, params, newestTags);
  if (!Array.isArray(params)) return false;
  const filter = ownMember(params, 0);
  if ((ownMember(filter, 'blockHash') ?? undefined) !== undefined) return false;
  return ['fromBlock', 'toBlock'].some((end) => newestTags.has(ownMember(filter, end) ?? 'latest'));
}

/** What is let through of a request: `all`, or `beyond`: what turns out not to be proven. */
export type Passing = 'all' | 'beyond' | undefined;

interface PassthroughOptions {
  /** Whether all answers of a method are proven here, but for tags. */
  readonly isAnswered: (method: string) => boolean;
  /** Whether a method is about blocks, of which the older ones are proven here. */
  readonly isOfBlocks: (method: string) => boolean;
}

/**
 * How a request is let through.
 *
 * @throws TypeError for a wrong entry
 */
export function createPassthrough(
  entries: readonly Passthrough[],
  { isAnswered, isOfBlocks }: PassthroughOptions,
): (method: string, params: unknown) => Passing {
  if (!Array.isArray(entries)) throw wrongType('passthrough', 'expected an array');
  const passed = new Map<string, Set<string | undefined>>();
  entries.forEach((entry, i) => {
    for (const one of entry === 'send' ? sending : [entry]) {
      const [method, tag] = checkEntry(one, `passthrough[${i}]`, isAnswered);
      passed.set(method, (passed.get(method) ?? new Set()).add(tag));
    }
  });

  return (method, params) => {
    const tags = passed.get(method);
    if (tags === undefined) return undefined;
    if (!tags.has(undefined)) return isAtTag(method, params, tags) ? 'all' : undefined;
    if (!isOfBlocks(method)) return 'all';
    // Whoever names it wants the newest blocks, and those that are proven are older.
    return namesNewest(method, params) || isAtTag(method, params, tags) ? 'all' : 'beyond';
  };
}
