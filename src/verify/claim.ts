/** The caller's side: what is asked, and against which root. A wrong claim never reaches the answer. */
import { addressWidth, equalBytes, type Hex } from '../bytes.js';
import { checkHex, checkRoot, ownMembers, pickMembers, refuseUnknown } from '../codec/argument.js';
import { specOf, type TreeSpec } from '../codec/spec.js';
import { shown, wrongRange, wrongType } from '../errors.js';
import { maxStorageKeys } from '../foreign/limits.js';
import type { Engine } from '../hash/engine.js';
import { blockWidth, type HashFamily } from '../hash/family.js';

/** The claim that a result is held against. */
export interface ProofClaim {
  /**
   * The trusted state root: 32 bytes, as the rollup contract on L1 holds it. Never take it from the server
   * that gave the proof, and never from a block header: that `stateRoot` is another tree's.
   */
  stateRoot: Hex;
  /** 20 bytes, digits of either case. */
  address: Hex;
  /** 32 bytes each, in the order asked, at most 16384; default none. */
  storageKeys?: readonly Hex[];
  /** The family that the tree of this root is hashed with; default `poseidon2`. */
  hash?: HashFamily | undefined;
  /** The form of the hash that runs; default the kernel if the platform allows it. */
  engine?: Engine;
}

const questionMembers = ['address', 'storageKeys'] as const;

/** Members of a claim. */
const claimMembers = ['stateRoot', ...questionMembers, 'hash', 'engine'] as const;

/** The other members of an anchor: a claim may be one with a question added. They say where its root comes from. */
export const anchorMembers = [
  ...(['kind', 'l2ChainId', 'l2BlockNumber', 'timestamp', 'isNewest'] as const),
  ...(['implementation', 'l1', 'how', 'consensus', 'blockHash', 'header'] as const),
] as const;

/**
 * Whether the root of an anchor rests on no server's word, by how it was read: proven under an L1 block hash that the caller
 * knows, or that L1's consensus made final. The one rule for it.
 */
export const isProvenRoot = (how: string): boolean => how === 'proof' || how === 'consensus';

const knownMembers = [...claimMembers, ...anchorMembers] as const;

/**
 * Refuses unknown members of a claim, and an anchor of the other kind: under the root of its header no proof of this tree can hold.
 *
 * @throws TypeError or RangeError
 */
function refuseOthers(claim: object): void {
  refuseUnknown(claim, knownMembers, 'claim');
  const { kind = 'tree' } = pickMembers(claim as { kind?: unknown }, ['kind'], 'claim');
  if (kind === 'tree') return;
  throw wrongRange('kind', 'expected tree; a header is for verifyAccountProof');
}

/** The question of a claim, apart from its root, as bytes. */
export interface ClaimQuestion {
  /** 20 bytes. */
  readonly address: Uint8Array;
  /** 32 bytes each. */
  readonly storageKeys: readonly Uint8Array[];
}

/** Checks what is asked before any answer is looked at. @throws TypeError or RangeError */
export function checkClaimQuestion(
  claim: Pick<ProofClaim, 'address' | 'storageKeys'>,
): ClaimQuestion {
  const { address, storageKeys = [] } = ownMembers(claim, questionMembers, 'claim');
  if (!Array.isArray(storageKeys)) {
    throw wrongType('storageKeys', `expected an array of hex strings, got ${shown(storageKeys)}`);
  }
  // Read once: the length that is bounded here is the one that is read below, whatever the array's iterator would give.
  const { length } = storageKeys;
  if (!(length <= maxStorageKeys)) {
    throw wrongRange('storageKeys', `expected at most ${maxStorageKeys} keys, got ${length}`);
  }
  // A hole is no key, whatever a prototype holds at its index.
  const keyAt = (_: unknown, i: number) =>
    checkHex(
      Object.hasOwn(storageKeys, i) ? storageKeys[i] : undefined,
      blockWidth,
      `storageKeys[${i}]`,
    );
  return {
    address: checkHex(address, addressWidth, 'address'),
    storageKeys: Array.from({ length }, keyAt),
  };
}

/**
 * The question of a claim that is held against a root known before: a whole claim will do, if it names the same root.
 *
 * @throws TypeError or RangeError
 */
export function checkQuestionUnder(
  spec: TreeSpec,
  root: Uint8Array,
  claim: Pick<ProofClaim, 'address' | 'storageKeys'> & Partial<ProofClaim>,
): ClaimQuestion {
  const question = pickMembers(claim, questionMembers, 'claim');
  refuseOthers(claim);
  const { stateRoot, hash } = pickMembers(claim, ['stateRoot', 'hash'], 'claim');
  if (stateRoot !== undefined && !equalBytes(checkRoot(spec, stateRoot, 'stateRoot'), root)) {
    throw wrongRange('stateRoot', 'expected the root of this verifier, or none');
  }
  if (hash !== undefined && hash !== spec.hasher.family) {
    throw wrongRange('hash', 'expected the family of this verifier, or none');
  }
  return checkClaimQuestion(question);
}

/** A claim that was checked, as bytes. */
export interface CheckedClaim {
  readonly spec: TreeSpec;
  /** 32 bytes, trusted. */
  readonly stateRoot: Uint8Array;
  readonly question: ClaimQuestion;
}

/** Checks a whole claim before any answer is looked at. @throws TypeError or RangeError */
export function checkClaim(claim: ProofClaim): CheckedClaim {
  const given = pickMembers(claim, claimMembers, 'claim');
  refuseOthers(claim);
  const spec = specOf(given.hash, given.engine);
  const question = checkClaimQuestion(pickMembers(given, questionMembers, 'claim'));
  const stateRoot = checkRoot(spec, given.stateRoot, 'stateRoot');
  return { spec, stateRoot, question };
}
