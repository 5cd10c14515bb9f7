/** The options of `fetchAnchor`, checked before any request is sent. */
import { encodeHex, type Hex } from '../bytes.js';
import { ownOptions } from '../codec/argument.js';
import { wrongRange, wrongType } from '../errors.js';
import { hasMember } from '../foreign/members.js';

import type { Transport } from '../rpc/index.js';
import { endpointOf } from '../rpc/transport.js';
import { isProvenRoot } from '../verify/claim.js';
import type { StateKind } from '../verify/result.js';
import type { AnchoredRoot } from './anchor.js';
import { checkObject, checkTrusted, checkWhole } from './common/argument.js';
import type { ConsensusEvidence } from './common/evidence.js';
import { defineNetwork, type Network } from './common/network.js';
import type { L1Tag } from './contract.js';

/** A final block of L1, beside anything else that its source says of it. The anchor repeats what the block rests on. */
export interface FinalizedBlock extends Partial<ConsensusEvidence> {
  /** Hash of its execution block, 32 bytes. */
  readonly executionBlockHash: Hex;
}

/** Knows what L1 has finalized, such as the light client of `l2proof/consensus`. */
export interface FinalizedSource {
  /** The newest final block of L1. */
  finalized(signal?: AbortSignal): Promise<FinalizedBlock>;
}

/** Options of {@link fetchAnchor}. */
export interface AnchorOptions {
  /**
   * The L1 endpoint, or several. Without `trusted`, several must agree; with it, they are asked in turn until one has
   * a proof that holds. One endpoint twice is no second opinion, and is refused if both are of `createTransport`: which
   * endpoint a transport of your own asks, or one that wraps another, cannot be known.
   */
  readonly l1: Transport | readonly Transport[];
  /** The rollup network. */
  readonly network: Network;
  /**
   * The caller's own knowledge of L1: the hash of an L1 block, the state root in its header, or what follows L1, such as
   * `createLightClient` of `l2proof/consensus`. Everything is then proven. Without it the endpoints are believed.
   */
  readonly trusted?:
    | {
        /** Hash of an L1 block, 32 bytes. */
        readonly blockHash: Hex;
      }
    | {
        /** Merkle-Patricia root in the header of an L1 block, 32 bytes. */
        readonly stateRoot: Hex;
      }
    | FinalizedSource;
  /**
   * The L1 block that is read: a tag, default `finalized`, or a number. Not beside `trusted.blockHash`; beside
   * `trusted.stateRoot`, the number of its block.
   */
  readonly l1Block?: L1Tag | number;
  /** The L2 block whose root is wanted: the last of a finalization. Default: the last finalized one. */
  readonly l2BlockNumber?: number | undefined;
  /**
   * In its place: an L2 block; wanted is the root of the last finalization that ended before it. The events of the endpoint say
   * which that is, as a hint; the root itself is proven or believed like any other.
   */
  readonly before?: number | undefined;
  /**
   * Ms that may have passed since the time of the L1 block; default one hour, no bound beside `trusted`. Beside
   * `trusted.stateRoot` the endpoint is believed about that time, about the block's hash in the anchor, and about its
   * number unless `l1Block` names it.
   */
  readonly maxAge?: number;
  /**
   * The L2 endpoint, which needs no trust: it gives the header of a block whose hash L1 holds. Needed for anchors of kind
   * `header` alone.
   */
  readonly l2?: Transport | undefined;
  /**
   * Which of the two is wanted of L1, if it holds both of a block, a state root and a block hash; default the hash. One that L1
   * does not hold is `NOT_PROVABLE`.
   */
  readonly kind?: StateKind | undefined;
  /** How many earlier finalizations are tried at most; default 16. */
  readonly maxSteps?: number;
  /**
   * An earlier anchor: no L2 block before its own is used unless the caller names it, and no L1 block before its own. L1
   * blocks are not compared if the number of either is no more than the word of an endpoint that nobody trusts.
   */
  readonly after?: AnchoredRoot;
  /** Aborts all requests. */
  readonly signal?: AbortSignal | undefined;
}

export const anchorOptionNames = [
  'l1',
  'network',
  'trusted',
  'l1Block',
  'l2BlockNumber',
  'before',
  'l2',
  'kind',
  'maxAge',
  'maxSteps',
  'after',
  'signal',
] as const;

/** Without a value these would be left out, and less checked than was meant. */
export const strengtheningNames = ['trusted', 'l1Block', 'maxAge', 'maxSteps', 'after'] as const;

interface LowestBlocks {
  readonly l1: number;
  readonly l2: number;
}

/** The knowledge of L1: a hash, or a source to ask for it. */
export type Trusted =
  | { readonly kind: 'blockHash' | 'stateRoot'; readonly value: Hex }
  | { readonly kind: 'source'; readonly source: FinalizedSource };

/** The same, checked. */
export interface AnchorRequest {
  readonly transports: readonly Transport[];
  readonly network: Network;
  readonly trusted: Trusted | undefined;
  readonly l1Block: L1Tag | number;
  readonly l2BlockNumber: number | undefined;
  readonly before: number | undefined;
  readonly l2: Transport | undefined;
  readonly kind: StateKind | undefined;
  readonly maxAge: number;
  readonly maxSteps: number;
  /** Lowest numbers of an L1 block and of an L2 block that are used. */
  readonly lowest: LowestBlocks;
  readonly signal: AbortSignal | undefined;
}

const defaultMaxAge = 3_600_000;
const defaultMaxSteps = 16;

const tags: readonly unknown[] = ['finalized', 'safe', 'latest'];

function checkTransports(l1: AnchorOptions['l1'], trusted: AnchorRequest['trusted']): Transport[] {
  const list: Transport[] = Array.isArray(l1) ? [...l1] : [l1];
  if (list.length === 0 || list.some((transport) => typeof transport?.call !== 'function')) {
    throw wrongType('l1', 'expected a transport, or several');
  }
  const endpoints = new Set(list.map((transport) => endpointOf(transport) ?? transport));
  // With `trusted` they are asked in turn, and none is believed.
  if (trusted === undefined && endpoints.size < list.length) {
    throw wrongType('l1', 'names one endpoint twice, which is no second opinion; name others');
  }
  return list;
}

/** A light client may be of a class, whose functions its prototype has. @throws TypeError if it is a hash, too */
function isSource(trusted: NonNullable<AnchorOptions['trusted']>): trusted is FinalizedSource {
  if (typeof (trusted as Partial<FinalizedSource>).finalized !== 'function') return false;
  if (!hasMember(trusted, 'blockHash') && !hasMember(trusted, 'stateRoot')) return true;
  throw wrongType('trusted', 'expected a hash or a light client, not both');
}

function checkTrust(trusted: AnchorOptions['trusted']): AnchorRequest['trusted'] {
  if (trusted === undefined) return undefined;
  if (isSource(trusted)) return { kind: 'source', source: trusted };
  const given: { blockHash?: Hex; stateRoot?: Hex } = trusted as object;
  const names = ['blockHash', 'stateRoot'] as const;
  const { blockHash, stateRoot } = ownOptions(given, names, 'trusted', names);
  if ((blockHash === undefined) === (stateRoot === undefined)) {
    throw wrongType('trusted', 'expected { blockHash }, { stateRoot } or a light client');
  }
  const kind = blockHash === undefined ? 'stateRoot' : 'blockHash';
  return { kind, value: encodeHex(checkTrusted(blockHash ?? stateRoot, `trusted.${kind}`)) };
}

function checkL1Block(
  l1Block: L1Tag | number | undefined,
  trusted: AnchorRequest['trusted'],
): L1Tag | number {
  if (l1Block === undefined) return 'finalized';
  if (trusted !== undefined && trusted.kind !== 'stateRoot') {
    const name = trusted.kind === 'source' ? 'trusted' : 'trusted.blockHash';
    throw wrongType('l1Block', `or "${name}" expected, not both`);
  }
  if (typeof l1Block === 'number') return checkWhole(l1Block, 'l1Block');
  if (tags.includes(l1Block)) return l1Block;
  throw wrongType('l1Block', `expected a number, ${tags.join(', ')}`);
}

/** Numbers of the blocks before which none is used. */
function checkAfter(
  after: AnchoredRoot | undefined,
  network: Network,
  trusted: AnchorRequest['trusted'],
): LowestBlocks {
  if (after === undefined) return { l1: 0, l2: 0 };
  checkObject(after, 'after');
  checkObject(after.l1, 'after.l1');
  if (after.l1.chainId !== network.l1ChainId || after.l2ChainId !== network.l2ChainId) {
    throw wrongRange('after', 'expected an anchor of the same network');
  }
  const l1 = checkWhole(after.l1.blockNumber, 'after.l1.blockNumber');
  // One false number from an endpoint that nobody trusts would refuse all L1 blocks to come.
  const isClaim = trusted?.kind === 'stateRoot' || (isProvenRoot(after.how) && !after.l1.proven);
  return { l1: isClaim ? 0 : l1, l2: checkWhole(after.l2BlockNumber, 'after.l2BlockNumber') };
}

/** @throws TypeError or RangeError */
function checkKindOption(kind: unknown, { slots }: Network): StateKind | undefined {
  if (kind === undefined || kind === 'tree') return kind;
  if (kind !== 'header') throw wrongType('kind', 'expected tree or header');
  if (slots.blockHashes !== undefined) return kind;
  throw wrongRange('kind', 'header expected a network whose slots name blockHashes');
}

function checkAge(maxAge: number): number {
  if (typeof maxAge === 'number' && maxAge >= 0) return maxAge;
  throw wrongRange('maxAge', 'expected ms from 0, or Infinity');
}

/** @throws TypeError or RangeError that names the option */
export function checkAnchorOptions(options: AnchorOptions): AnchorRequest {
  const given = ownOptions(options, anchorOptionNames, 'options', strengtheningNames);
  const { maxSteps = defaultMaxSteps, signal } = given;
  const network = defineNetwork(given.network);
  const wanted = (name: 'l2BlockNumber' | 'before') =>
    given[name] === undefined ? undefined : checkWhole(given[name], name);
  if (given.l2BlockNumber !== undefined && given.before !== undefined) {
    throw wrongType('before', 'or "l2BlockNumber" expected, not both');
  }
  if (given.l2 !== undefined && typeof given.l2?.call !== 'function') {
    throw wrongType('l2', 'expected a transport');
  }
  const trusted = checkTrust(given.trusted);
  const { maxAge = trusted ? Infinity : defaultMaxAge } = given;
  return {
    transports: checkTransports(given.l1, trusted),
    network,
    trusted,
    l1Block: checkL1Block(given.l1Block, trusted),
    l2BlockNumber: wanted('l2BlockNumber'),
    before: wanted('before'),
    l2: given.l2,
    kind: checkKindOption(given.kind, network),
    maxAge: checkAge(maxAge),
    maxSteps: checkWhole(maxSteps, 'maxSteps'),
    lowest: checkAfter(given.after, network, trusted),
    signal,
  };
}
