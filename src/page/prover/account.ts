/** An account: its balance, nonce and code, or the proof that there is none. */
import { fetchState } from '../../anchor/index.js';
import type { Hex } from '../../index.js';
import type { Means } from './means.js';
import type { Session } from './session.js';

/** A proven account, or slots of one. */
export async function answerAccount(
  { anchor, network, l2 }: Session,
  { address, storageKeys = [] }: { address: Hex; storageKeys?: readonly Hex[] },
  { signal, say }: Means,
) {
  say('Finding the state root on L1');
  const root = await anchor();
  say(`Proving the account in L2 block ${root.l2BlockNumber}`);
  const question = { address, storageKeys, l2, network, anchor: root, signal };
  const { state } = await fetchState(question);
  return { anchor: root, state };
}
