/** The root that all answers are held against, for the panel that shows where the trust comes from. */
import { findRoot } from './ground.js';
import type { Means } from './means.js';
import type { Session } from './session.js';

export async function answerTrust(session: Session, _asked: object, means: Means) {
  const { name, rollup, l1ChainId, l2ChainId } = session.network;
  return {
    anchor: await findRoot(session, means),
    network: { name, rollup, l1ChainId, l2ChainId },
  };
}
