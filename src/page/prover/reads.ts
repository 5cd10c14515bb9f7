/** What a call reads of the state: each of it has a proof that can be looked at. */
import type { AnchoredRoot } from '../../anchor/index.js';
import type { Hex } from '../../index.js';
import type { ContractCall } from '../format/calls.js';
import type { Means } from './means.js';
import type { Session } from './session.js';

interface AccountReads {
  readonly address: Hex;
  readonly storageKeys: readonly Hex[];
}

/** Runs the call once more, and notes what it reads. */
export async function answerReads(
  session: Session,
  { to, data }: ContractCall,
  { signal, say }: Means,
): Promise<{ anchor: AnchoredRoot; reads: readonly AccountReads[] }> {
  const provider = await session.provider();
  say('Running the call on proven state');
  const params = [{ to, data }, 'latest'];
  const told = await provider.explain({ method: 'eth_createAccessList', params, signal });
  const { accessList } = told.result as { accessList: readonly AccountReads[] };
  const own = accessList.find(({ address }) => address.toLowerCase() === to.toLowerCase());
  return {
    anchor: told.anchor as AnchoredRoot,
    // A list leaves out a contract of which no slot was read: its code was.
    reads: own ? accessList : [{ address: to, storageKeys: [] }, ...accessList],
  };
}
