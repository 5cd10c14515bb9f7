/** How often one host is asked. */
import { LruCache } from '../../lru.js';
import { HostBusyError } from './errors.js';

/** Hosts whose last question is remembered. */
const mostHosts = 10_000;

/** Waits for the host's turn. @throws HostBusyError if that comes too late @throws the reason of the signal */
export type Pace = (host: string, until: number, signal: AbortSignal) => Promise<void>;

/** Ends waiting after so many ms, or with the signal. */
function sleep(time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, time);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

/** @param perSecond questions to one host, evenly */
export function createPace(perSecond: number): Pace {
  /** Host -> when its next turn is, in ms of `performance.now()`. */
  const turns = new LruCache<string, number>(mostHosts);
  return async (host, until, signal) => {
    const now = performance.now();
    const turn = Math.max(now, turns.get(host) ?? now);
    // A turn that nobody can wait for is not taken: the host would be kept waiting for it.
    if (turn >= until) throw new HostBusyError();
    turns.set(host, turn + 1000 / perSecond);
    if (turn > now) await sleep(turn - now, signal);
  };
}
