/** A trusted state root of L2, and where the trust comes from. */
import { encodeHex, type Hex } from '../bytes.js';
import { checkHex, checkRoot, ownMembers, pickMembers } from '../codec/argument.js';
import { specOf } from '../codec/spec.js';
import { wrongRange, wrongType } from '../errors.js';
import type { HashFamily } from '../hash/index.js';
import { anchorMembers } from '../verify/claim.js';
import { checkObject, checkTrusted, checkWhole } from './argument.js';
import type { L1Tag } from './contract.js';
import { defineNetwork, type Network } from './network.js';

/** The evidence for a final block of L1, as the light client gives it. */
export interface ConsensusEvidence {
  /** Root of the beacon block that everything began from, 32 bytes. */
  readonly checkpoint: Hex;
  /** Slot of the final beacon block. */
  readonly slot: number;
  /** How many members of the sync committee signed it; undefined if it is the checkpoint itself. */
  readonly signers?: number | undefined;
  /** Members of the sync committee. */
  readonly committeeSize: number;
}

/**
 * A state root that L1 holds, with the L1 block that holds it. Its `stateRoot` is the sparse Merkle root that
 * `verifyProof` takes; the `stateRoot` in the header of an L2 block is another tree's, and no anchor.
 */
export interface AnchoredRoot {
  /** Chain id of the rollup. */
  readonly l2ChainId: number;
  /** The L2 block whose state the root is of. */
  readonly l2BlockNumber: number;
  /** 32 bytes, canonical in the family. */
  readonly stateRoot: Hex;
  /** The family that the root is hashed with. */
  readonly hash: HashFamily;
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

/** Options of {@link givenAnchor}. */
export interface GivenRoot {
  /** The network that the root is of. */
  readonly network: Network;
  /** The L2 block whose state the root is of. */
  readonly l2BlockNumber: number;
  /** 32 bytes. */
  readonly stateRoot: Hex;
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

/**
 * An anchor from a caller that has a light client of its own, or its own way to ask L1: `verifyL1Header` and
 * `verifyAnchorProof` give the parts. Checks their forms alone: the caller vouches that they are true.
 *
 * @returns the anchor, frozen; `how` is `given`
 * @throws TypeError or RangeError for a part that cannot be right, among them a root of another tree
 */
export function givenAnchor(given: GivenRoot): AnchoredRoot {
  const own: Pick<GivenRoot & Partial<AnchoredRoot>, (typeof givenNames)[number]> = ownMembers(
    given as GivenRoot & Partial<AnchoredRoot>,
    givenNames,
    'given',
  );
  const { network, timestamp, l1: block, ...root } = own;
  const l1 = ownMembers(block as AnchoredRoot['l1'], l1Names, 'l1');
  const { l1ChainId, l2ChainId, hash } = defineNetwork(network);
  checkSame(own.l2ChainId, l2ChainId, 'l2ChainId');
  checkSame(own.hash, hash, 'hash');
  checkSame(l1.chainId, l1ChainId, 'l1.chainId');
  if (l1.timestamp !== undefined) checkTime(l1.timestamp, 'l1.timestamp');
  return freezeAnchor({
    l2ChainId,
    l2BlockNumber: checkWhole(root.l2BlockNumber, 'l2BlockNumber'),
    stateRoot: encodeHex(checkRoot(specOf(hash), root.stateRoot, 'stateRoot')),
    hash,
    timestamp: timestamp === undefined ? undefined : checkTimestamp(timestamp, 'timestamp'),
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
export const freezeAnchor = ({ timestamp, l1, consensus, ...parts }: AnchorParts): AnchoredRoot =>
  Object.freeze({
    ...parts,
    timestamp: timestamp && Object.freeze(timestamp),
    l1: freezeL1(l1),
    consensus: consensus && Object.freeze(consensus),
  }) as AnchoredRoot;

const evidenceNames = ['checkpoint', 'slot', 'signers', 'committeeSize'] as const;

/** Reads each member once; there may be others. @returns a copy @throws TypeError or RangeError that names the member */
export function checkEvidence(given: unknown, name: string): ConsensusEvidence {
  const own = pickMembers(given as ConsensusEvidence, evidenceNames, name);
  const { checkpoint, slot, signers, committeeSize } = own;
  const evidence = {
    checkpoint: encodeHex(checkHex(checkpoint, 32, `${name}.checkpoint`)),
    slot: checkWhole(slot, `${name}.slot`),
    signers: signers === undefined ? undefined : checkWhole(signers, `${name}.signers`),
    committeeSize: checkWhole(committeeSize, `${name}.committeeSize`),
  };
  if (signers === undefined || signers <= committeeSize) return evidence;
  throw wrongRange(`${name}.signers`, 'expected no more than the members of the committee');
}

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

/** Seconds of a block's header. @throws TypeError or RangeError that names it */
export function checkTime(value: unknown, name: string): void {
  if (typeof value !== 'bigint') throw wrongType(name, 'expected seconds as a bigint');
  // A negative one stays negative, however far it is shifted.
  if (value >> 64n !== 0n) throw wrongRange(name, 'expected a whole number from 0 and below 2^64');
}
