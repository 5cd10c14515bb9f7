/** How often one host is asked. */
import { LruCache } from '../../lru.js';
import { wait } from '../../rpc/retry.js';

/** Hosts whose last question is remembered. */
const mostHosts = 10_000;

/** Waits for the host's turn. @throws the reason of the signal */
export type Pace = (host: string, signal: AbortSignal) => Promise<void>;

/** @param perSecond questions to one host, evenly */
export function createPace(perSecond: number): Pace {
  /** Host -> when its next turn is, in ms of `performance.now()`. */
  const turns = new LruCache<string, number>(mostHosts);
  return async (host, signal) => {
    const now = performance.now();
    const turn = Math.max(now, turns.get(host) ?? now);
    turns.set(host, turn + 1000 / perSecond);
    if (turn > now) await wait(turn - now, signal);
  };
}
