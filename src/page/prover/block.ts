/** A block: its header, and the hashes of its transactions. */
import type { Hex } from '../../index.js';
import { findRoot, grounded } from './ground.js';
import type { Means } from './means.js';
import type { Session } from './session.js';

/** @param asked.block its number, or its hash of 32 bytes */
export async function answerBlock(
  session: Session,
  { block: asked }: { block: number | Hex },
  means: Means,
) {
  const { history } = session;
  const { signal, say } = means;
  await findRoot(session, means);
  say('Proving the block: its header, and that its transactions are all of them');
  return grounded(session, signal, async () => {
    const block = await history.block(asked, { signal });
    const newest = Number((await history.header('latest', { signal })).number);
    return { block, newest };
  });
}
