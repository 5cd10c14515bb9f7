/** A trusted state root of L2, and where the trust comes from. */
import { encodeHex, type Hex } from '../bytes.js';
import { checkRoot, ownMembers } from '../codec/argument.js';
import { specOf } from '../codec/spec.js';
import { wrongRange, wrongType } from '../errors.js';
import type { HashFamily } from '../hash/index.js';
import { anchorMembers } from '../verify/claim.js';
import { checkObject, checkTrusted, checkWhole } from './common/argument.js';
import { type ConsensusEvidence, checkTime } from './common/evidence.js';
import { defineNetwork, type Network } from './common/network.js';
import type { L1Tag } from './contract.js';
import { checkL2Header, type L2Header } from './l2Header.js';

/** What anchors of both kinds have. */
interface AnchorBase {
  /** Chain id of the rollup. */
  readonly l2ChainId: number;
  /** The L2 block whose state the root is of. */
  readonly l2BlockNumber: number;
  /** 32 bytes. Of kind `tree` canonical in the family, and of kind `header` the one in the header. */
  readonly stateRoot: Hex;
  /**
   * Time of the L2 block in seconds. Undefined if it is not known; with `how: 'proof'` or `'consensus'`, unless L1 proves
   * it: the word of a server that nobody trusts is not kept.
   */
  readonly timestamp?: {
    /** Seconds since 1970. */
    readonly value: bigint;
    /** True if L1 proves it, false if it is the word of those who are trusted with the root. */
    readonly proven: boolean;
  };
  /** True if L1 proves that no later L2 block was finalized at that L1 block; with `how: 'proof'` or `'consensus'` alone. */
  readonly isNewest?: boolean;
  /** Code of the rollup contract, 20 bytes, if that was proven too. */
  readonly implementation?: Hex;
  /** The L1 block at which all of it was read. */
  readonly l1: {
    /** Chain id of L1: 1 for the mainnet of Ethereum. */
    readonly chainId: number;
    /** Number of the block. */
    readonly blockNumber: number;
    /** 32 bytes. */
    readonly blockHash: Hex;
    /** Seconds. */
    readonly timestamp?: bigint;
    /**
     * True if number and time are those of the header that hashes to `blockHash`, which the caller named. Else number, hash
     * and time are the word of the endpoint, or of the caller of {@link givenAnchor}.
     */
    readonly proven?: boolean;
    /** The tag that the block was named by, if that was not `finalized`: a reorg of L1 may undo it. */
    readonly tag?: Exclude<L1Tag, 'finalized'>;
  };
  /**
   * Who is trusted: `proof` the L1 hash that the caller named; `consensus` L1's own validators, whom the `finalized` of
   * `trusted` follows: then the root is proven as with `proof`; `quorum` L1 endpoints that agree; `call` one L1
   * endpoint; `given` the caller, see {@link givenAnchor}.
   */
  readonly how: 'proof' | 'consensus' | 'call' | 'quorum' | 'given';
  /** With `how: 'consensus'`: what the L1 block rests on; undefined if the `finalized` of `trusted` does not say it. */
  readonly consensus?: ConsensusEvidence;
}

/**
 * A state root that L1 holds, with the L1 block that holds it. Its `stateRoot` is the sparse Merkle root that
 * `verifyProof` takes; the `stateRoot` in the header of an L2 block is another tree's, and no anchor of this kind.
 */
export interface TreeAnchor extends AnchorBase {
  /** Anchors that were saved by older releases have none. */
  readonly kind?: 'tree';
  /** The family that the root is hashed with. */
  readonly hash: HashFamily;
  /** Only a header anchor has it. */
  readonly blockHash?: undefined;
  /** Only a header anchor has it. */
  readonly header?: undefined;
}

/**
 * The hash of an L2 block that L1 holds, with the block's header. Its `stateRoot` is the Merkle-Patricia root in the header,
 * which `verifyAccountProof` takes.
 */
export interface HeaderAnchor extends AnchorBase {
  /** What L1 holds is the hash of a block. */
  readonly kind: 'header';
  /** Hash of the L2 block, 32 bytes. */
  readonly blockHash: Hex;
  /** The header that hashes to it. */
  readonly header: L2Header;
  /** The root is of no tree of the rollup's own. */
  readonly hash?: undefined;
}

/** What L1 holds of an L2 block: the root of its state, or its hash. `kind` says which. */
export type AnchoredRoot = TreeAnchor | HeaderAnchor;

/** What {@link givenAnchor} takes of either kind. */
interface GivenBase {
  /** The network that the block is of. */
  readonly network: Network;
  /** The L2 block. */
  readonly l2BlockNumber: number;
  /** Time of the L2 block, in seconds. */
  readonly timestamp?: AnchoredRoot['timestamp'] | undefined;
  /** The L1 block at which the root was read. */
  readonly l1: {
    /** Number of the block. */
    readonly blockNumber: number;
    /** 32 bytes. */
    readonly blockHash: Hex;
    /** Seconds. */
    readonly timestamp?: bigint | undefined;
  };
}

/** A state root of the caller's. */
export interface GivenRoot extends GivenBase {
  /** Default `tree`. */
  readonly kind?: 'tree' | undefined;
  /** 32 bytes. */
  readonly stateRoot: Hex;
}

/** A hash of an L2 block of the caller's. */
export interface GivenBlockHash extends GivenBase {
  /** What is given is the hash of a block. */
  readonly kind: 'header';
  /** 32 bytes. */
  readonly blockHash: Hex;
  /** The header, from any source: a block as JSON-RPC answers it, or the hex of the header's RLP. */
  readonly header: unknown;
}

/** An anchor that was fetched may be given again, with all its members. */
const givenNames = ['network', 'stateRoot', 'hash', ...anchorMembers] as const;
const l1Names = [
  ...(['blockNumber', 'blockHash', 'timestamp'] as const),
  ...(['chainId', 'proven', 'tag'] as const),
] as const;
/** The compiler refuses a member of an anchor that the lists above leave out. */
type Known<All, Names> = Exclude<All, Names> extends never ? true : Exclude<All, Names>;
true satisfies Known<keyof AnchoredRoot, (typeof givenNames)[number]>;
true satisfies Known<keyof AnchoredRoot['l1'], (typeof l1Names)[number]>;

/** A member that the network decides may be left out, but not be another. @throws RangeError */
function checkSame(given: unknown, ofNetwork: unknown, name: string): void {
  if (given === undefined || given === ofNetwork) return;
  throw wrongRange(name, `expected ${ofNetwork}, as the network has it`);
}

/** What the kind of an anchor decides, of one that a caller gives. @throws TypeError or RangeError */
export function checkKind(
  given: { readonly [name in 'kind' | 'stateRoot' | 'hash' | 'blockHash' | 'header']?: unknown },
  l2BlockNumber: number,
  at: string,
): Pick<AnchorParts, 'kind' | 'stateRoot' | 'hash' | 'blockHash' | 'header'> & {
  /** By the header, in seconds. */
  readonly time: bigint | undefined;
} {
  const { kind = 'tree', stateRoot } = given;
  if (kind === 'header') {
    const { time, ...found } = checkL2Header(given, l2BlockNumber, at);
    if (given.hash !== undefined) throw wrongRange(`${at}hash`, 'expected none beside a header');
    return { kind, hash: undefined, ...found, time };
  }
  if (kind !== 'tree') throw wrongRange(`${at}kind`, 'expected tree or header');
  if (given.blockHash !== undefined || given.header !== undefined) {
    throw wrongRange(`${at}kind`, 'expected header beside a block hash');
  }
  const hash = given.hash as HashFamily;
  return {
    ...{ kind, hash, blockHash: undefined, header: undefined, time: undefined },
    stateRoot: encodeHex(checkRoot(specOf(hash), stateRoot, `${at}stateRoot`)),
  };
}

/** The time of an anchored block: beside a header, that of the header and no other. @throws TypeError or RangeError */
export function checkTimeOf(
  given: AnchoredRoot['timestamp'] | undefined,
  time: bigint | undefined,
  name: string,
): AnchoredRoot['timestamp'] | undefined {
  const timestamp = given === undefined ? undefined : checkTimestamp(given, name);
  if (timestamp === undefined || time === undefined || timestamp.value === time) return timestamp;
  throw wrongRange(`${name}.value`, 'expected the time in the header');
}

/**
 * An anchor from a caller that has a light client of its own, or its own way to ask L1: `verifyL1Header`,
 * `verifyAnchorProof` and `verifyBlockHashProof` give the parts. Checks their forms, and the header against the block hash: the
 * caller vouches that they are true.
 *
 * @returns the anchor, frozen; `how` is `given`
 * @throws TypeError or RangeError for a part that cannot be right, among them a root of another tree
 *
 * @example
 * ```ts
 * import { fetchState, givenAnchor, networks } from 'l2proof/anchor';
 * import { createTransport } from 'l2proof/rpc';
 *
 * const network = networks.mainnet;
 * const l1 = { blockNumber: 23907114, blockHash: '0xL1_BLOCK_HASH' } as const;
 * const anchor = givenAnchor({ network, l2BlockNumber: 28511680, stateRoot: '0xSTATE_ROOT', l1 });
 * const l2 = createTransport({ url: 'https://l2.example' });
 * const address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
 * const { state } = await fetchState({ address, anchor, l2, network });
 * console.log(state.account?.balance); // 10000000000000000000035n
 * ```
 */
export function givenAnchor(given: GivenRoot): TreeAnchor;
export function givenAnchor(given: GivenBlockHash): HeaderAnchor;
export function givenAnchor(given: GivenRoot | GivenBlockHash): AnchoredRoot;
export function givenAnchor(given: GivenRoot | GivenBlockHash): AnchoredRoot {
  type Given = GivenBase & { readonly [name in (typeof givenNames)[number]]?: unknown };
  const own = ownMembers(given as Given, givenNames, 'given');
  const l1 = ownMembers(own.l1 as AnchoredRoot['l1'], l1Names, 'l1');
  const { l1ChainId, l2ChainId, hash } = defineNetwork(own.network);
  checkSame(own.l2ChainId, l2ChainId, 'l2ChainId');
  if (own.kind !== 'header') checkSame(own.hash, hash, 'hash');
  checkSame(l1.chainId, l1ChainId, 'l1.chainId');
  if (l1.timestamp !== undefined) checkTime(l1.timestamp, 'l1.timestamp');
  const l2BlockNumber = checkWhole(own.l2BlockNumber, 'l2BlockNumber');
  const { time, ...kind } = checkKind(
    own.kind === 'header' ? own : { ...own, hash },
    l2BlockNumber,
    '',
  );
  const timestamp = checkTimeOf(own.timestamp, time, 'timestamp');
  return freezeAnchor({
    ...kind,
    l2ChainId,
    l2BlockNumber,
    timestamp: timestamp ?? (time === undefined ? undefined : { value: time, proven: true }),
    isNewest: undefined,
    implementation: undefined,
    l1: {
      chainId: l1ChainId,
      blockNumber: checkWhole(l1.blockNumber, 'l1.blockNumber'),
      blockHash: encodeHex(checkTrusted(l1.blockHash, 'l1.blockHash')),
      timestamp: l1.timestamp,
      proven: undefined,
      tag: undefined,
    },
    how: 'given',
    consensus: undefined,
  });
}

/** All members of an anchor, each named. */
export type AnchorParts = {
  readonly [name in keyof Required<Omit<AnchoredRoot, 'l1'>>]: AnchoredRoot[name] | undefined;
} & { readonly l1: L1BlockParts };

export interface L1BlockParts {
  readonly chainId: number;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly timestamp: bigint | undefined;
  readonly proven: boolean | undefined;
  readonly tag: Exclude<L1Tag, 'finalized'> | undefined;
}

/** Frozen. Unknown members are named too: a missing one would be looked up in the prototype. */
export const freezeL1 = (l1: L1BlockParts): AnchoredRoot['l1'] =>
  Object.freeze(l1) as AnchoredRoot['l1'];

/** Frozen deeply. */
export const freezeAnchor = ({
  timestamp,
  l1,
  consensus,
  header,
  ...parts
}: AnchorParts): AnchoredRoot =>
  Object.freeze({
    ...parts,
    header: header && Object.freeze(header),
    timestamp: timestamp && Object.freeze(timestamp),
    l1: freezeL1(l1),
    consensus: consensus && Object.freeze(consensus),
  }) as AnchoredRoot;

/** Reads each member once. @returns a copy @throws TypeError or RangeError that names the member */
export function checkTimestamp(
  timestamp: NonNullable<AnchoredRoot['timestamp']>,
  name: string,
): NonNullable<AnchoredRoot['timestamp']> {
  checkObject(timestamp, name);
  const { value, proven } = ownMembers(timestamp, ['value', 'proven'], name);
  checkTime(value, `${name}.value`);
  if (typeof proven !== 'boolean') throw wrongType(`${name}.proven`, 'expected true or false');
  return { value, proven };
}
