/** Random blocks that follow from their number alone, so that everyone who applies a block applies the same. */
import type { Hex } from '../../src/index.js';
import type { AccountChange } from '../../src/tree/index.js';
import { digits } from './reference.js';

/** Few accounts and slots: most blocks change, destroy or create again what earlier ones made. */
export const addresses: readonly Hex[] = Array.from(
  { length: 40 },
  (_, i): Hex => `0x${digits(BigInt(i + 1), 20)}`,
);
export const slots: readonly Hex[] = Array.from(
  { length: 5 },
  (_, i): Hex => `0x${digits(BigInt(i))}`,
);

/** Numbers from 0 to below a limit (mulberry32). */
export function randomOf(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  };
}

/** What a block changes. */
export function changesOf(number: number): AccountChange[] {
  const random = randomOf(number);
  const touched = addresses.filter(() => random(6) === 0);
  return touched.map((address) => {
    if (random(6) === 0) return { address, account: null };
    const account = { nonce: number, balance: random(1_000_000) };
    // Few have storage: the reference takes its time for a tree of each.
    const own = address < (addresses[10] as Hex) ? slots : [];
    const storage = own
      .filter(() => random(4) === 0)
      .map((key) => ({ key, value: `0x${digits(BigInt(random(3) * number))}` as Hex }));
    return { address, account, storage, recreated: random(12) === 0 };
  });
}
