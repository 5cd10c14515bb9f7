/** What a proof says, law by law: of an account or slot that is asked for, or of an answer that the reader has. */
import { fetchAnchor } from '../../anchor/index.js';
import { type Explanation, explainProof } from '../../explain/index.js';
import type { Hex, ProofClaim } from '../../index.js';
import { createProofClient } from '../../rpc/index.js';
import { findRoot } from './ground.js';
import type { Means } from './means.js';
import type { Session } from './session.js';

/** An answer that is on the page, and what it is held against. */
export interface Pasted {
  readonly answer: unknown;
  readonly claim: ProofClaim;
}

/** @throws TypeError or RangeError for a claim that cannot be */
export const explainPasted = async ({ answer, claim }: Pasted): Promise<Explanation> =>
  explainProof(answer, claim);

/** Headers are proven by Merkle-Patricia tries, whose proofs this page does not take apart. */
export class NoAnatomy extends Error {
  readonly code = 'NOT_PROVABLE';
}

/** An answer as the L2 server gives it: of a false one, too, its anatomy is what the reader wants. */
export async function answerAnatomy(
  session: Session,
  { address, storageKeys }: { address: Hex; storageKeys: readonly Hex[] },
  means: Means,
) {
  const { network, l1, l2, trusted } = session;
  const { signal, say } = means;
  // A server that lies always lies in the proof that comes with the anchor, too: then its root is asked of L1 alone.
  const root = await findRoot(session, means).catch(() =>
    fetchAnchor({ l1, l2, network, signal, ...(trusted && { trusted }) }),
  );
  if (root.kind === 'header') {
    throw new NoAnatomy('L1 holds hashes of blocks here: the proof is of another kind of tree');
  }
  say(`Asking for the proof in L2 block ${root.l2BlockNumber}`);
  const { stateRoot, hash } = root;
  const claim = { stateRoot, address, storageKeys, hash };
  const server = createProofClient({ transport: l2, method: network.method });
  const answer = await server.getProof({ address, storageKeys, block: root.l2BlockNumber, signal });
  return { anchor: root, pasted: { answer, claim } satisfies Pasted };
}
