/** An account: its balance, nonce and code, or the proof that there is none; and slots of one. */
import { fetchState } from '../../anchor/index.js';
import type { Hex } from '../../index.js';
import type { Means } from './means.js';
import type { Session } from './session.js';

export async function answerAccount(
  { anchor, network, l2 }: Session,
  { address }: { address: Hex },
  { signal, say }: Means,
) {
  say('Finding the state root on L1');
  const root = await anchor();
  say(`Proving the account in L2 block ${root.l2BlockNumber}`);
  const { state } = await fetchState({ address, l2, network, anchor: root, signal });
  return { anchor: root, state };
}

/** Most slots of a question. */
const mostSlots = 1000;

const word = (slot: bigint): Hex => `0x${slot.toString(16).padStart(64, '0')}`;

/** Slots one after the other. @param asked.from below 2^256 @throws RangeError */
export async function answerSlots(
  { anchor, network, l2 }: Session,
  { address, from, count }: { address: Hex; from: bigint; count: number },
  { signal, say }: Means,
) {
  if (count > mostSlots || from + BigInt(count) > 1n << 256n) {
    throw new RangeError(`expected at most ${mostSlots} slots, below 2^256`);
  }
  const storageKeys = Array.from({ length: count }, (_, i) => word(from + BigInt(i)));
  say('Finding the state root on L1');
  const root = await anchor();
  say(`Proving ${count} slots in L2 block ${root.l2BlockNumber}`);
  const { state } = await fetchState({ address, storageKeys, l2, network, anchor: root, signal });
  return { anchor: root, slots: state.storage };
}
