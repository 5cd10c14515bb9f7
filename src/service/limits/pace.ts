/** How often something is done for each of many: a host that is asked, a flow of requests. */
import { LruCache } from '../../lru.js';
import { wait } from '../../rpc/retry.js';

/** Names whose last turn is remembered. */
const mostNames = 10_000;

/** Waits for the next turn of a name. @throws the reason of the signal */
type Pace = (name: string, signal?: AbortSignal) => Promise<void>;

/** @param perSecond turns of one name, evenly */
export function createPace(perSecond: number): Pace {
  /** Name -> when its next turn is, in ms of `performance.now()`. */
  const turns = new LruCache<string, number>(mostNames);
  return async (name, signal) => {
    const now = performance.now();
    const turn = Math.max(now, turns.get(name) ?? now);
    turns.set(name, turn + 1000 / perSecond);
    if (turn > now) await wait(turn - now, signal);
  };
}
