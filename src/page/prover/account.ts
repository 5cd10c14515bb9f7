/** An account: its balance, nonce and code, or the proof that there is none; and slots of one. */
import { fetchState } from '../../anchor/index.js';
import { type Hex, slotKey } from '../../index.js';
import { mostSlots } from '../format/slot.js';
import { findRoot } from './ground.js';
import type { Means } from './means.js';
import type { Session } from './session.js';

export async function answerAccount(session: Session, { address }: { address: Hex }, means: Means) {
  const { network, l2 } = session;
  const { signal, say } = means;
  const anchor = await findRoot(session, means);
  say(`Proving the account in L2 block ${anchor.l2BlockNumber}`);
  const { state } = await fetchState({ address, l2, network, anchor, signal });
  return { anchor, state };
}

/** Slots one after the other. @param asked.from below 2^256 @throws RangeError */
export async function answerSlots(
  session: Session,
  { address, from, count }: { address: Hex; from: bigint; count: number },
  means: Means,
) {
  const { network, l2 } = session;
  const { signal, say } = means;
  if (count > mostSlots || from + BigInt(count) > 1n << 256n) {
    throw new RangeError(`expected at most ${mostSlots} slots, below 2^256`);
  }
  const storageKeys = Array.from({ length: count }, (_, i) => slotKey(from + BigInt(i)));
  const anchor = await findRoot(session, means);
  say(`Proving ${count} slots in L2 block ${anchor.l2BlockNumber}`);
  const { state } = await fetchState({ address, storageKeys, l2, network, anchor, signal });
  return { anchor, slots: state.storage };
}
