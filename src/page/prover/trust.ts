/** The root that all answers are held against, for the panel that shows where the trust comes from. */
import type { Means } from './means.js';
import type { Session } from './session.js';

export async function answerTrust({ anchor, network }: Session, _asked: object, { say }: Means) {
  say('Finding the state root on L1');
  const { name, rollup, l1ChainId, l2ChainId } = network;
  return { anchor: await anchor(), network: { name, rollup, l1ChainId, l2ChainId } };
}
