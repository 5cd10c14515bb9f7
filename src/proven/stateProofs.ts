/**
 * A source of proven state: proofs are asked for and verified under a root of either kind, so that nobody above needs to know
 * which it is.
 */
import { type Hex, isBytes } from '../bytes.js';
import { toQuantity } from '../foreign/values.js';
import type { HashFamily } from '../hash/index.js';
import { askProof, checkServer, type ProofServer, toTrieServer } from '../rpc/askProof.js';
import type { ProofClientOptions } from '../rpc/index.js';
import { runStepsInTurns } from '../steps.js';
import type { Tick } from '../turns.js';
import { checkClaimQuestion } from '../verify/claim.js';
import type { StateKind, VerifiedState } from '../verify/result.js';
import { openVerifier, type VerifierInTurns } from '../verify/verifier.js';
import { checkTrieRoot, verifyingAccountProof } from './accountProof.js';

/** What an anchor says of the state that it proves; it is structural, for anchors are made elsewhere. */
export interface StateAnchor {
  readonly kind?: StateKind | undefined;
  readonly stateRoot: Hex;
  /** Of a tree. */
  readonly hash?: HashFamily | undefined;
  readonly l2BlockNumber: number;
}

/** Whether the state hangs on a block header. An anchor that was saved before there were kinds names none. */
export const isHeader = <A extends { readonly kind?: StateKind | undefined }>(
  anchor: A,
): anchor is A & { readonly kind: 'header' } => anchor.kind === 'header';

/** An account and its slots; hex in lower case. */
export interface ProvenQuestion {
  readonly address: Hex;
  readonly storageKeys: readonly Hex[];
}

/** Asks one server for proofs. */
export interface StateClient {
  /**
   * Asks for a proof of the kind that an anchor needs.
   *
   * @returns what the server claims
   * @throws RpcError, the signal's reason
   */
  ask(
    anchor: Pick<StateAnchor, 'kind' | 'l2BlockNumber'>,
    question: ProvenQuestion,
    signal: AbortSignal | undefined,
  ): Promise<unknown>;
}

/** Makes a client; nothing is sent yet. @throws TypeError or RangeError for wrong options */
export function createStateClient(options: ProofClientOptions): StateClient {
  const tree: ProofServer = checkServer(options);
  const trie = toTrieServer(tree);
  return {
    ask(anchor, { address, storageKeys }, signal) {
      const block = toQuantity(anchor.l2BlockNumber);
      if (!isHeader(anchor)) return askProof(tree, { address, storageKeys, block }, signal);
      // Some nodes answer each key once, however often it is asked.
      return askProof(trie, { address, storageKeys: [...new Set(storageKeys)], block }, signal);
    },
  };
}

/**
 * Verifies an answer under one root.
 *
 * @param tick is awaited often
 * @throws ShapeError, VerificationError; what the tick throws
 */
export type VerifyState = (
  answer: unknown,
  question: ProvenQuestion,
  tick: Tick,
) => Promise<VerifiedState<StateKind>>;

function underHeader(stateRoot: Uint8Array): VerifyState {
  return (answer, question, tick) => {
    const claim = { stateRoot, question: checkClaimQuestion(question) };
    return runStepsInTurns(verifyingAccountProof(claim, answer), tick);
  };
}

function underTree({ stateRoot, hash }: StateAnchor): VerifyState {
  const root = { stateRoot, ...(hash !== undefined && { hash }) };
  /** Made with the first answer in JSON: it takes some room. */
  let verifier: VerifierInTurns | undefined;
  return async (answer, question, tick) => {
    if (!isBytes(answer)) {
      verifier ??= openVerifier(root);
      return verifier.verifyInTurns(answer, question, tick);
    }
    // Loaded with the first answer in bytes: most servers give none.
    const { verifyCompactInTurns } = await import('../compact/verify.js');
    return verifyCompactInTurns(answer, { ...root, ...question }, tick);
  };
}

/** What was hashed for one answer is shared with the next. @throws TypeError or RangeError for a wrong root */
export const openStateVerifier = (anchor: StateAnchor): VerifyState =>
  isHeader(anchor) ? underHeader(checkTrieRoot(anchor.stateRoot, 'stateRoot')) : underTree(anchor);
