/** A block: its header, and the hashes of its transactions. */
import type { Hex } from '../../index.js';
import { grounded } from './ground.js';
import type { Means } from './means.js';
import type { Session } from './session.js';

/** @param asked.block its number, or its hash of 32 bytes */
export async function answerBlock(
  session: Session,
  { block: asked }: { block: number | Hex },
  { signal, say }: Means,
) {
  const { history } = session;
  say('Finding the state root on L1');
  await history.anchor({ signal });
  say('Proving the block: its header, and that its transactions are all of them');
  return grounded(session, signal, async () => {
    const block = await history.block(asked, { signal });
    const newest = Number((await history.header('latest', { signal })).number);
    return { block, newest };
  });
}
