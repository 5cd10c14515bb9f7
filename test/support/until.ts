/** Waits for what other processes and timers bring about. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Ms after which nothing is waited for any longer, however busy the machine is. */
export const longestWait = 60_000;

/** Waits until something holds. @throws Error if it does not in time @param ms how long that is */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  ms = longestWait,
): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`after ${ms} ms it is not true that ${what}`);
    await sleep(5);
  }
}
