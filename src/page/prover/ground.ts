/** Answers from the history, with what they rest on. */
import type { AnchoredRoot } from '../../anchor/index.js';
import type { Means } from './means.js';
import type { Session } from './session.js';

export interface Ground {
  /** The root that the answer was held against. */
  readonly anchor: AnchoredRoot;
  /** `operator` if the hash of its block is that by the word of the operator of L2. */
  readonly restsOn: 'operator' | undefined;
}

/** The root that an answer is held against. */
export function findRoot(
  { history }: Pick<Session, 'history'>,
  { signal, say }: Means,
): Promise<AnchoredRoot> {
  say('Finding the state root on L1');
  return history.anchor({ signal });
}

/** Asks the history, once more if L1 has finalized a newer block meanwhile: all of the answer is then under one root. */
export async function grounded<T>(
  { history }: Session,
  signal: AbortSignal,
  ask: () => Promise<T>,
): Promise<T & Ground> {
  for (;;) {
    const anchor = await history.anchor({ signal });
    const answer = await ask();
    const { stateRoot } = await history.anchor({ signal });
    if (stateRoot === anchor.stateRoot) return { ...answer, anchor, restsOn: history.restsOn() };
  }
}
