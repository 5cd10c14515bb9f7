/** Holds each proof that a tree makes against the tree's own root before it is handed out. */
import { encodeHex } from '../bytes.js';
import type { TreeSpec } from '../codec/spec.js';
import type { CheckedClaim } from '../verify/claim.js';
import { verifyClaim } from '../verify/result.js';
import { TreeError } from './errors.js';
import type { ProofResult } from './path.js';

/** Slots between two pauses. */
export const pieceSize = 8;

/** Proofs that are known to verify, at most: after that many, they are verified anew. */
const maxVerified = 1 << 16;

/** Verifies an answer as its reader would, skipping keys already verified under this root. @throws TreeError `DAMAGED` */
export type SelfCheck = (
  result: ProofResult,
  claim: CheckedClaim,
  pause: () => Promise<void>,
) => Promise<void>;

export function createSelfCheck(tree: TreeSpec): SelfCheck {
  const verified = new Set<string>();

  function verifyPiece({ accountProof, storageProofs }: ProofResult, claim: CheckedClaim): void {
    const nameOf = (key?: Uint8Array) =>
      [claim.stateRoot, claim.address, key ?? new Uint8Array(0)].map(encodeHex).join();
    const fresh = [...claim.storageKeys.keys()].filter(
      (i) => !verified.has(nameOf(claim.storageKeys[i])),
    );
    if (fresh.length === 0 && verified.has(nameOf())) return;
    const part = {
      accountProof,
      storageProofs: storageProofs.length > 0 ? fresh.map((i) => storageProofs[i]) : [],
    };
    const storageKeys = fresh.map((i) => claim.storageKeys[i] as Uint8Array);
    try {
      verifyClaim(part, tree, { ...claim, storageKeys });
    } catch (cause) {
      throw new TreeError('DAMAGED', 'the proof of what the store holds does not verify', {
        cause,
      });
    }
    if (verified.size > maxVerified) verified.clear();
    for (const key of [undefined, ...storageKeys]) verified.add(nameOf(key));
  }

  return async ({ accountProof, storageProofs }, claim, pause) => {
    for (let at = 0; at === 0 || at < claim.storageKeys.length; at += pieceSize) {
      if (at > 0) await pause();
      const end = at + pieceSize;
      const part = { accountProof, storageProofs: storageProofs.slice(at, end) };
      verifyPiece(part, { ...claim, storageKeys: claim.storageKeys.slice(at, end) });
    }
  };
}
