/** Verifiers that remember what they hashed, and batches. */

import type { Hex } from '../bytes.js';
import { checkRoot, ownMembers, pickMembers } from '../codec/argument.js';
import { ownSpecOf } from '../codec/spec.js';
import { shown, wrongRange } from '../errors.js';
import type { Engine } from '../hash/engine.js';
import type { HashFamily } from '../hash/index.js';
import { runStepsInTurns } from '../steps.js';
import type { Tick } from '../turns.js';
import { type CheckedClaim, checkClaim, checkQuestionUnder, type ProofClaim } from './claim.js';
import { nodesToRemember, type VerifiedState, verifyingResult, verifyResult } from './result.js';

/** Nodes that a verifier remembers when the caller does not say: 3 MiB under MiMC, 4 MiB under Poseidon2. */
const defaultMaxNodes = 16384;

/** A verifier of answers under one state root. */
export interface Verifier {
  /**
   * Verifies an `l2_getProof` result, with the same answer as {@link verifyProof}. The claim may be a whole one that names
   * the root of this verifier.
   *
   * @throws what {@link verifyProof} throws
   */
  verify(result: unknown, claim: { address: Hex; storageKeys?: readonly Hex[] }): VerifiedState;
}

/**
 * Verifies an `l2_getProof` result against a trusted state root, without trusting the server that gave it.
 *
 * @param result the `result` member of the JSON-RPC answer, of any type; never changed
 * @param claim what was asked, and the trusted root
 * @returns what is proven: the account, or that it does not exist, and one slot per key asked
 * @throws ShapeError if the result is no proof at all
 * @throws VerificationError if it is a proof of something else; `code` says which law it breaks
 * @throws TypeError or RangeError for a wrong claim, before the result is looked at
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { slotKey, verifyProof } from 'l2proof';
 *
 * const file = 'node_modules/l2proof/docs/example/answer.json'; // what a server answered
 * const { result } = JSON.parse(readFileSync(file, 'utf8'));
 * const { account, storage } = verifyProof(result, {
 *   stateRoot: '0x1005eff740cc76b23d47c07859db53e74c7c046d768f6edb5c2805d8490b4b0a', // from L1
 *   address: '0x6c6553b4934a681a4efe765efb6db43e753aa036',
 *   storageKeys: [slotKey(4), slotKey(5)],
 * });
 * console.log(account?.nonce, storage[0]?.value, storage[1]?.exists);
 * // 1n 0xa739172864df28fe7fbbd3fa754098ce774f4fc99ba4172195eea64bf7d661f7 false
 * ```
 */
export function verifyProof(result: unknown, claim: ProofClaim): VerifiedState {
  const checked = checkClaim(claim);
  // Paths of one result share nodes; nothing is kept from one call to the next.
  checked.spec.hasher.remember(nodesToRemember(checked.question));
  return verifyResult(checked, result);
}

/** A verifier for answers with many slots: each takes a fraction of a millisecond. */
export interface VerifierInTurns extends Verifier {
  /** As `verify`. @param tick is awaited often @throws what it throws, too */
  verifyInTurns(
    result: unknown,
    claim: Parameters<Verifier['verify']>[1],
    tick: Tick,
  ): Promise<VerifiedState>;
}

/**
 * Opens a verifier for many answers under one state root: nodes that it has hashed are not hashed again, whichever
 * answer they came in. A refused answer leaves only true digests behind.
 *
 * @param options.stateRoot trusted, as in {@link ProofClaim}
 * @param options.hash family of the root; default `poseidon2`
 * @param options.maxNodes most nodes to remember, rounded down to a power of two, at most 65536; 192 bytes each under
 *   MiMC, 256 under Poseidon2; default 16384; 0 remembers none
 * @param options.engine form of the hash; default the kernel if the platform allows it
 * @throws TypeError or RangeError for a wrong option
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { createVerifier, slotKey } from 'l2proof';
 *
 * const file = 'node_modules/l2proof/docs/example/answer.json'; // what a server answered
 * const { result } = JSON.parse(readFileSync(file, 'utf8'));
 * const verifier = createVerifier({
 *   stateRoot: '0x1005eff740cc76b23d47c07859db53e74c7c046d768f6edb5c2805d8490b4b0a', // from L1
 * });
 * const address = '0x6c6553b4934a681a4efe765efb6db43e753aa036';
 * const { account } = verifier.verify(result, { address, storageKeys: [slotKey(4), slotKey(5)] });
 * console.log(account?.codeSize); // 2n
 * ```
 */
export function createVerifier(options: {
  stateRoot: Hex;
  hash?: HashFamily | undefined;
  maxNodes?: number;
  engine?: Engine;
}): Verifier {
  const { verify } = openVerifier(options);
  return { verify };
}

/** The same, for callers that must not keep the event loop. @throws as {@link createVerifier} */
export function openVerifier(options: Parameters<typeof createVerifier>[0]): VerifierInTurns {
  const given = ownMembers(options, ['stateRoot', 'hash', 'maxNodes', 'engine'], 'options');
  const { maxNodes = defaultMaxNodes } = given;
  if (!Number.isSafeInteger(maxNodes) || maxNodes < 0) {
    throw wrongRange('maxNodes', `expected a whole number from 0, got ${shown(maxNodes)}`);
  }
  const spec = ownSpecOf(given.hash, given.engine);
  // Kept as checked bytes, so that a change of `options` cannot reach a later call.
  const stateRoot = checkRoot(spec, given.stateRoot, 'stateRoot');
  spec.hasher.remember(maxNodes);
  const checked = (claim: Parameters<Verifier['verify']>[1]): CheckedClaim => ({
    spec,
    stateRoot,
    question: checkQuestionUnder(spec, stateRoot, claim),
  });
  return {
    verify: (result, claim) => verifyResult(checked(claim), result),
    verifyInTurns: async (result, claim, tick) =>
      runStepsInTurns(verifyingResult(checked(claim), result), tick),
  };
}

/** One of many answers, and the claim it is held against. */
export interface ProofItem {
  /** The `result` member of a JSON-RPC answer, of any type. */
  readonly result: unknown;
  /** The question, and the trusted root. */
  readonly claim: ProofClaim;
}

/** The outcome of one item. */
export type ProofOutcome =
  | {
      /** The proof holds. */
      readonly ok: true;
      /** The result of {@link verifyProof}. */
      readonly state: VerifiedState;
    }
  | {
      /** Nothing is proven. */
      readonly ok: false;
      /** The error of {@link verifyProof}. */
      readonly error: unknown;
    };

function verifyItem(items: readonly ProofItem[], i: number): ProofOutcome {
  let item: ProofItem | undefined;
  try {
    // A hole is an item too, whatever a prototype holds at its index.
    const given = Object.hasOwn(items, i) ? items[i] : undefined;
    item = pickMembers(given as ProofItem, ['result', 'claim'], 'item');
    return { ok: true, state: verifyProof(item.result, item.claim) };
  } catch (error) {
    if (item !== undefined || error instanceof TypeError) return { ok: false, error };
    // A getter of the item threw.
    const message = '"item" expected an object { result, claim }, but reading it threw';
    return { ok: false, error: new TypeError(message, { cause: error }) };
  }
}

/**
 * Verifies many answers, each on its own: a failing item does not affect the others.
 *
 * @param items answers and their claims; those under one state root share what they hash
 * @returns one outcome per item, in order, a hole in the array included; `error` is what {@link verifyProof} throws for
 *   that item, or a TypeError if it is no item at all
 * @throws TypeError unless `items` is an array
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { slotKey, verifyProofs } from 'l2proof';
 *
 * const file = 'node_modules/l2proof/docs/example/answer.json'; // what a server answered
 * const { result } = JSON.parse(readFileSync(file, 'utf8'));
 * const claim = {
 *   stateRoot: '0x1005eff740cc76b23d47c07859db53e74c7c046d768f6edb5c2805d8490b4b0a', // from L1
 *   address: '0x6c6553b4934a681a4efe765efb6db43e753aa036',
 *   storageKeys: [slotKey(4), slotKey(5)],
 * } as const;
 * const outcomes = verifyProofs([{ result, claim }, { result: {}, claim }]);
 * console.log(outcomes.map(({ ok }) => ok)); // [ true, false ]
 * ```
 */
export function verifyProofs(items: readonly ProofItem[]): ProofOutcome[] {
  if (!Array.isArray(items)) throw new TypeError(`"items" expected an array, got ${shown(items)}`);
  return Array.from({ length: items.length }, (_, i) => verifyItem(items, i));
}
