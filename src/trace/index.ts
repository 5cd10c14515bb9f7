/**
 * `l2proof/trace`: what a run of blocks did to the state, checked from one trusted root to the next.
 *
 * @example
 * ```ts
 * import { verifyTransition } from 'l2proof/trace';
 *
 * declare const traces: unknown; // traces[block][i], as a state manager gave them
 * const { endRoot } = verifyTransition(traces, {
 *   parentRoot: '0x29b0a880582e0b7f6435ae1a1e9965cd2a2744c73c7b3f420170b6fa36d4fe6a', // from L1
 * });
 * console.log(endRoot); // to be compared with the root on L1
 * ```
 *
 * @module l2proof/trace
 */
import { encodeHex, equalBytes, type Hex } from '../bytes.js';
import { checkRoot, ownOptions } from '../codec/argument.js';
import { specOf } from '../codec/spec.js';
import { VerificationError } from '../errors.js';
import type { Engine } from '../hash/engine.js';
import type { HashFamily } from '../hash/index.js';
import { accountTreeKind } from './kinds.js';
import { parseTraces } from './parse.js';
import { checkTransition } from './transition.js';

/** The claim that a run of blocks is held against. */
export interface TransitionClaim {
  /** The trusted state root before the first block: 32 bytes, as the rollup contract on L1 holds it. */
  parentRoot: Hex;
  /** The trusted state root after the last block. Without it, the caller must compare the root that is returned. */
  endRoot?: Hex;
  /** The family that both roots are hashed with; default `poseidon2`. */
  hash?: HashFamily;
  /** The form of the hash that runs; default the kernel if the platform allows it. */
  engine?: Engine;
}

/** The proven transition; frozen; all hex in lower case. */
export interface VerifiedTransition {
  /** State root after the last block; the parent root if there is no block. */
  readonly endRoot: Hex;
  /** State root after each block. */
  readonly blockRoots: readonly Hex[];
}

/**
 * Verifies that some blocks turn one state into another, from the traces that a state manager gives
 * (`rollup_getZkEVMStateMerkleProofV0`). Every access to accounts and slots is true of the tree that the access before
 * it left. Each tree changes only by the traced access, and storage only together with its account.
 *
 * The traces do not prove that the blocks' transactions make these accesses, and no others.
 *
 * @param traces `traces[block][i]`, of any type, at most 65536 blocks and as many traces in all of them together; never
 *   changed, and not looked at again afterwards. A longer run is verified in parts: the end root of one is the parent
 *   root of the next
 * @param claim the trusted roots
 * @returns the roots after each block and after the last
 * @throws ShapeError if they are no traces at all
 * @throws VerificationError if they are traces of something else; `code` says which law they break
 * @throws TypeError or RangeError for a wrong claim, before the traces are looked at
 */
export function verifyTransition(traces: unknown, claim: TransitionClaim): VerifiedTransition {
  const { parentRoot, endRoot, hash, engine } = ownOptions(
    claim,
    ['parentRoot', 'endRoot', 'hash', 'engine'],
    'claim',
    ['endRoot'],
  );
  const spec = specOf(hash, engine);
  const parent = checkRoot(spec, parentRoot, 'parentRoot');
  const end = endRoot === undefined ? undefined : checkRoot(spec, endRoot, 'endRoot');
  const roots = checkTransition(spec, parseTraces(spec, accountTreeKind(spec), traces), parent);
  const last = roots.at(-1) ?? parent;
  if (end !== undefined && !equalBytes(last, end)) {
    throw new VerificationError(
      'END_ROOT_MISMATCH',
      '',
      `expected the traces to end at ${encodeHex(end)}, got ${encodeHex(last)}`,
    );
  }
  return Object.freeze({
    endRoot: encodeHex(last),
    blockRoots: Object.freeze(roots.map(encodeHex)),
  });
}
