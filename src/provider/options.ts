/** The options of a provider. */
import { checkAnchored } from '../anchor/checkAnchored.js';
import { fetchAnchor } from '../anchor/fetchAnchor.js';
import { type AnchoredRoot, defineNetwork, type Network } from '../anchor/index.js';
import { type AnchorOptions, anchorOptionNames, checkAnchorOptions } from '../anchor/options.js';
import { encodeHex, type Hex } from '../bytes.js';
import { shown, shownWord, wrongRange, wrongType } from '../errors.js';
import { type HeaderValues, headerValues } from '../evm/call/call.js';
import { workLimits } from '../evm/state/budget.js';
import { checkCount, checkHex, ownMembers, ownOptions } from '../foreign/argument.js';
import { hasMember } from '../foreign/members.js';
import { type CallFork, callForks } from '../forks.js';
import type { Transport } from '../rpc/index.js';
import { blockMethods } from './methods/blocks.js';
import { createCallMethods } from './methods/calls.js';
import { createFilterMethods } from './methods/filters.js';
import { createProvenMethods, type ProvenMethods, trieMethod } from './methods/methods.js';
import { ownAnswers } from './methods/ownAnswers.js';
import { createPassthrough, type Passing, type Passthrough } from './methods/passthrough.js';
import type { AnchorSource } from './state/anchors.js';
import type { CurrentBlock } from './state/current.js';

/** Options of {@link createProvider}. */
export interface ProviderOptions {
  /** The L2 endpoint, which needs no trust. It answers proofs, code, and what is passed on. */
  readonly l2: Transport;
  /** The rollup network. */
  readonly network: Network;
  /** The L1 endpoint, or several that must agree: the provider fetches its anchors there. */
  readonly l1?: Transport | readonly Transport[] | undefined;
  /**
   * Beside `l1`: the caller's own knowledge of L1, such as the light client of `l2proof/consensus`. Every root is then
   * proven, and no L1 endpoint is believed; several are asked in turn.
   */
  readonly trusted?: AnchorOptions['trusted'] | undefined;
  /**
   * In the place of `l1`: an anchor, or a function that fetches one. The function is called as `fetchAnchor` may be,
   * `(wish) => fetchAnchor({ ...wish, l1, network, trusted })`; it may disregard what it is asked for.
   */
  readonly anchor?: AnchoredRoot | AnchorSource;
  /**
   * Which block `latest` means. `newest`, the default: the last that L1 has finalized; headers, transactions, receipts and
   * logs are answered up to the block before it. `whole`: the end of the finalization before that one, of which the state,
   * the header, transactions, receipts and logs are proven, so that calls need nothing assumed. The server must hold both states.
   */
  readonly current?: 'newest' | 'whole';
  /**
   * `server`: that there is no such transaction, receipt or block, or none that is proven yet, is answered by null, as nodes
   * do, on the server's word; `explain` and the event `unproven` say so. Without it such requests are refused, for nothing
   * proves it.
   */
  readonly absence?: 'server' | undefined;
  /** Most blocks that are walked from parent to parent to reach an older one; default 50,000. */
  readonly maxBlocks?: number | undefined;
  /** Most blocks in one search for logs, and in one answer of a filter; default 1,000. */
  readonly maxRange?: number | undefined;
  /** Methods that are passed on unproven; default none. */
  readonly passthrough?: readonly Passthrough[] | undefined;
  /**
   * Values of the block's header that contracts may ask for and that are not proven. Without them a call that asks for one
   * fails; with them `explain` lists the one that was read in `assumed`.
   */
  readonly header?: CallHeader | undefined;
  /**
   * The rules that calls run by in blocks whose time the anchor does not hold; `explain` lists `fork` in `assumed`. Without
   * it, if the root is proven, the rules of the newest finalized block follow from the proven time of its L1 block, and a
   * call in another block fails with `FORK_UNKNOWN`.
   */
  readonly fork?: CallFork | undefined;
  /** Most gas that a call runs with; default 50,000,000. */
  readonly gasCap?: number | bigint | undefined;
  /** Most ms that a call takes in all its rounds, from 1; default 60,000; `Infinity` for no bound. */
  readonly callTimeout?: number | undefined;
  /** Ms after which the next read looks for a newer block; default 60,000; `Infinity` for never. */
  readonly refresh?: number | undefined;
}

/** Values of the headers of L2 blocks that the caller may supply. */
export interface CallHeader {
  /** Fee recipient, 20 bytes: COINBASE. */
  readonly coinbase?: Hex | undefined;
  /** 32 bytes: PREVRANDAO, and DIFFICULTY of forks before it. */
  readonly prevRandao?: Hex | undefined;
  /** In seconds, for blocks whose time is not proven: TIMESTAMP. */
  readonly timestamp?: number | bigint | undefined;
  /** GASLIMIT. */
  readonly gasLimit?: number | bigint | undefined;
  /** In wei: BASEFEE. */
  readonly baseFee?: number | bigint | undefined;
  /** In wei: BLOBBASEFEE. */
  readonly blobBaseFee?: number | bigint | undefined;
}

/** The same, checked. */
interface ProviderParts {
  readonly l2: Transport;
  readonly network: Network;
  readonly source: AnchorSource;
  readonly methods: ProvenMethods;
  readonly passing: (method: string, params: unknown) => Passing;
  readonly refresh: number;
  readonly current: CurrentBlock;
  readonly absence: 'server' | undefined;
  readonly maxBlocks: number;
  readonly maxRange: number;
}

/** Methods that are answered without a proof of state. */
const ownMethods = [...ownAnswers.keys(), 'eth_sendRawTransaction'];

const names = [
  'l2',
  'network',
  'l1',
  'trusted',
  'anchor',
  'current',
  'absence',
  'maxBlocks',
  'maxRange',
  'passthrough',
  'refresh',
  'header',
  'fork',
  'gasCap',
  'callTimeout',
] as const;

const defaultGasCap = 50_000_000n;

/** A whole number below 2^`bits`. @throws TypeError or RangeError */
function checkAmount(value: unknown, bits: number, name: string): bigint {
  if (typeof value !== 'bigint' && typeof value !== 'number') {
    throw wrongType(name, `expected a number, got ${shown(value)}`);
  }
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw wrongRange(name, 'expected a whole number');
  }
  const amount = BigInt(value);
  if (amount < 0n || amount >> BigInt(bits) !== 0n) {
    throw wrongRange(name, `expected a whole number from 0 and below 2^${bits}`);
  }
  return amount;
}

const headerWidths = { coinbase: 20, prevRandao: 32 } as const;
const headerBits = { timestamp: 64, gasLimit: 64, baseFee: 256, blobBaseFee: 256 } as const;

/** @throws TypeError or RangeError */
function checkHeader(header: CallHeader): HeaderValues {
  const known = [...Object.keys(headerWidths), ...Object.keys(headerBits)];
  const given: Record<string, unknown> = ownMembers(
    header,
    known as (keyof CallHeader)[],
    'header',
  );
  const values: Record<string, Hex | bigint> = {};
  for (const [name, width] of Object.entries(headerWidths)) {
    const value = given[name];
    if (value !== undefined) values[name] = encodeHex(checkHex(value, width, `header.${name}`));
  }
  for (const [name, bits] of Object.entries(headerBits)) {
    const value = given[name];
    if (value !== undefined) values[name] = checkAmount(value, bits, `header.${name}`);
  }
  return headerValues(values);
}

/** @throws TypeError */
function checkFork(fork: unknown): CallFork | undefined {
  const known = callForks.find((one) => one === fork);
  if (fork === undefined || known !== undefined) return known;
  throw wrongType('fork', `expected one of ${callForks.join(', ')}, got ${shownWord(fork)}`);
}

/** @throws TypeError */
function checkWord<const T extends string>(value: unknown, words: readonly T[], name: string): T {
  const known = words.find((one) => one === value);
  if (known !== undefined) return known;
  throw wrongType(name, `expected ${words.join(' or ')}, got ${shownWord(value)}`);
}

type Given = Pick<ProviderOptions, 'l1' | 'anchor' | 'trusted' | 'current'>;

/** @throws TypeError or RangeError */
function sourceOf({ l1, anchor, trusted, current }: Given, network: Network): AnchorSource {
  if ((l1 === undefined) === (anchor === undefined)) {
    throw wrongType('l1', 'or "anchor" is needed, and not both');
  }
  if (l1 !== undefined) {
    const own = { l1, network, ...(trusted !== undefined && { trusted }) };
    checkAnchorOptions(own);
    return (wish) => fetchAnchor({ ...wish, ...own });
  }
  if (trusted !== undefined) throw wrongType('trusted', 'needs "l1"');
  if (typeof anchor === 'function') return anchor;
  if (current === 'whole') {
    throw wrongType(
      'current',
      'whole needs two finalizations: pass "l1", or a function as "anchor"',
    );
  }
  const given = checkAnchored(anchor, network);
  return async () => given;
}

/** What `fetchAnchor` takes is not taken here: the anchors would be of less trust than was meant. @throws TypeError */
function refuseAnchorOptions(options: ProviderOptions): void {
  const known: readonly string[] = names;
  const foreign = anchorOptionNames.filter((name) => !known.includes(name));
  const found = foreign.find((name) => hasMember(options, name));
  if (found === undefined) return;
  throw wrongType(
    found,
    `is for fetchAnchor; in place of "l1" pass anchor: (wish) => fetchAnchor({ ...wish, l1, network, ${found} })`,
  );
}

/** @throws TypeError or RangeError that names the option */
export function checkProviderOptions(options: ProviderOptions): ProviderParts {
  refuseAnchorOptions(options);
  // Not taken apart with a rest, which would give it a prototype again.
  const given = ownOptions(options, names, 'options', ['anchor', 'trusted', 'current']);
  const { l2, passthrough = [], refresh = 60_000, header = {}, gasCap = defaultGasCap } = given;
  const { callTimeout = workLimits.time, maxBlocks = 50_000, maxRange = 1000 } = given;
  const { current = 'newest', absence } = given;
  const network = defineNetwork(given.network);
  if (typeof l2?.call !== 'function') throw wrongType('l2', 'expected a transport');
  if (typeof refresh !== 'number' || !(refresh >= 0)) {
    throw wrongRange('refresh', 'expected ms from 0, or Infinity');
  }
  if (typeof callTimeout !== 'number' || !(callTimeout >= 1)) {
    throw wrongRange('callTimeout', 'expected ms from 1, or Infinity');
  }
  const calls = createCallMethods({
    network,
    header: checkHeader(header),
    fork: checkFork(given.fork),
    gasCap: checkAmount(gasCap, 63, 'gasCap'),
    callTimeout,
  });
  checkCount(maxBlocks, 'maxBlocks', 0);
  checkCount(maxRange, 'maxRange', 1);
  const filters = createFilterMethods(maxRange);
  const methods = createProvenMethods(network, [...calls, ...blockMethods, ...filters]);
  const namesOf = (list: readonly (readonly [string, unknown])[]) => list.map(([name]) => name);
  // Calls and filters depend on more than what is proven, so a caller may prefer the server's answers.
  const mayPass = [...namesOf([...calls, ...blockMethods, ...filters]), trieMethod];
  const ofBlocks = namesOf(blockMethods);
  return {
    l2,
    network,
    source: sourceOf(given, network),
    methods,
    passing: createPassthrough(passthrough, {
      isAnswered: (method) =>
        (methods.has(method) && !mayPass.includes(method)) || ownMethods.includes(method),
      isOfBlocks: (method) => ofBlocks.includes(method),
    }),
    refresh,
    current: checkWord(current, ['newest', 'whole'], 'current'),
    absence: absence === undefined ? undefined : checkWord(absence, ['server'], 'absence'),
    maxBlocks,
    maxRange,
  };
}
