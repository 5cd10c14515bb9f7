/** Compact bytes -> a verified state. */

import { equalBytes } from '../bytes.js';
import { type AccountValue, decodeAccount } from '../codec/account.js';
import type { TreeSpec } from '../codec/spec.js';
import { VerificationError } from '../errors.js';
import { runSteps, runStepsInTurns, type Steps } from '../steps.js';
import type { Tick } from '../turns.js';
import { type CheckedClaim, checkClaim, type ProofClaim } from '../verify/claim.js';
import { type VerifiedState, verifiedSlot, verifiedState } from '../verify/result.js';
import { decodeCompact } from './decode.js';
import type { CompactTree } from './format.js';
import { distinctKeys } from './keys.js';
import { verifyTree } from './tree.js';

/** Whether slots have a proof of their own: an absent account and pristine storage prove every slot zero. */
export const needsStorage = (
  spec: TreeSpec,
  account: AccountValue | null,
  keyCount: number,
): account is AccountValue =>
  account !== null && keyCount > 0 && !equalBytes(account.storageRoot, spec.emptyRoot);

/** Where the storage tree stands, for errors. */
const storageTreeAt = 'storageTree';

/** Refuses a storage tree that proves nothing asked: a statement has one proof. */
function refuseStorage(account: AccountValue | null): VerificationError {
  if (account === null) {
    const reason = 'expected none: no such account';
    return new VerificationError('SLOT_OF_ABSENT_ACCOUNT', storageTreeAt, reason);
  }
  return new VerificationError(
    'LEAF_NOT_NEEDED',
    storageTreeAt,
    'expected none: no storage key was asked, or the storage is pristine and proves every slot zero',
  );
}

/** Value of each distinct storage key; undefined: proven absent. @param account proven before */
function* verifyStorage(
  spec: TreeSpec,
  account: AccountValue | null,
  keys: readonly Uint8Array[],
  tree: CompactTree | undefined,
): Steps<(Uint8Array | undefined)[]> {
  if (!needsStorage(spec, account, keys.length)) {
    if (tree !== undefined) throw refuseStorage(account);
    return keys.map(() => undefined);
  }
  if (tree === undefined) {
    throw new VerificationError(
      'SLOT_WITHHELD',
      storageTreeAt,
      'expected a storage tree: the storage of this account is not pristine; ask again, or another server',
    );
  }
  const claim = {
    root: account.storageRoot,
    keyBlocks: keys.map(spec.wordBlocks),
    values: spec.word,
    advice: 'check the storage keys and their order',
  };
  return yield* verifyTree(spec, claim, tree);
}

/** Verifies compact bytes under a claim that was checked. */
export const verifyCompact = (claim: CheckedClaim, bytes: unknown): VerifiedState =>
  runSteps(verifyingCompact(claim, bytes));

export function* verifyingCompact(claim: CheckedClaim, bytes: unknown): Steps<VerifiedState> {
  const { spec, stateRoot, question } = claim;
  const { address, storageKeys } = question;
  const { accountTree, storageTree } = decodeCompact(bytes, spec);
  const accountClaim = {
    root: stateRoot,
    keyBlocks: [spec.addressBlocks(address)],
    values: spec.account,
    advice:
      "check address and hash family, and that the root is the rollup contract's for the block asked, not a block header's stateRoot",
  };
  const [value] = yield* verifyTree(spec, accountClaim, accountTree);
  const account = value ? decodeAccount(spec, value, `${accountTree.at}.value`) : null;
  const { keys, positions } = distinctKeys(storageKeys);
  const values = yield* verifyStorage(spec, account, keys, storageTree);
  const storage = storageKeys.map((key, i) =>
    verifiedSlot({ key, value: values[positions[i] as number] }),
  );
  return verifiedState(claim, { account, storage });
}

/**
 * Verifies a compact proof from an untrusted source against a trusted state root.
 *
 * @param bytes a Uint8Array, as {@link compactProof} makes them; never changed
 * @param claim what was asked, and the trusted root, as `verifyProof` takes it
 * @returns what `verifyProof` gives for the answer that the proof was made of
 * @throws ShapeError if the bytes are no compact proof
 * @throws VerificationError if they are a proof of something else; `code` says which law they break
 * @throws TypeError or RangeError for a wrong claim, before the bytes are looked at
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { slotKey } from 'l2proof';
 * import { compactProof, verifyCompactProof } from 'l2proof/compact';
 *
 * const file = 'node_modules/l2proof/docs/example/answer.json'; // what a server answered
 * const { result } = JSON.parse(readFileSync(file, 'utf8'));
 * const claim = {
 *   stateRoot: '0x1005eff740cc76b23d47c07859db53e74c7c046d768f6edb5c2805d8490b4b0a', // from L1
 *   address: '0x6c6553b4934a681a4efe765efb6db43e753aa036',
 *   storageKeys: [slotKey(4), slotKey(5)],
 * } as const;
 * const bytes = compactProof(result, claim);
 * console.log(verifyCompactProof(bytes, claim).account?.nonce); // 1n
 * ```
 */
export function verifyCompactProof(bytes: Uint8Array, claim: ProofClaim): VerifiedState {
  return verifyCompact(checkClaim(claim), bytes);
}

/** The same, for callers that must not keep the event loop. @param tick is awaited often @throws what it throws, too */
export const verifyCompactInTurns = async (
  bytes: Uint8Array,
  claim: ProofClaim,
  tick: Tick,
): Promise<VerifiedState> => runStepsInTurns(verifyingCompact(checkClaim(claim), bytes), tick);
