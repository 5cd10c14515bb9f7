/** Waits for what other processes and timers bring about. */
// @ts-nocheck

import { setTimeout as sleep } from 'node:timers/promises';

/** Ms after which nothing is waited for any longer, however busy the machine is. */
export const longestWait = 60_000;

/** Waits until something holds. @throws Error if it does not within a minute */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + longestWait;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`after a minute it is not true that ${what}`);
    await sleep(5);
  }
}
