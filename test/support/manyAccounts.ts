/** Accounts enough for many batches of a bulk load; a third have slots. */
import type { AccountChange } from '../../src/tree/index.js';

const hex = (value: number, width: number) =>
  `0x${value.toString(16).padStart(2 * width, '0')}` as const;

export const manyAccounts = (count = 60_000): AccountChange[] =>
  Array.from({ length: count }, (_, i) => ({
    address: hex(7919 * i + 1, 20),
    account: { nonce: i % 5, balance: BigInt(i) * 10n ** 15n },
    ...(i % 3 === 0
      ? { storage: [1, 2].map((j) => ({ key: hex(j, 32), value: hex(i + j, 32) })) }
      : {}),
  }));
