/** Batches that follow from their number alone: each overwrites a part of those before, and names itself. */
import type { Batch, StoreReader } from '../../src/tree/index.js';
import { valueOf } from './stores.js';

/** The entry that names the newest batch. */
const nameKey = Uint8Array.of(0);

export function batchOf(number: number): Batch {
  const first = (331 * number) % 3000;
  const puts = Array.from({ length: 130 }, (_, i) => ({
    key: Uint8Array.of(1, (first + i) >> 8, (first + i) & 255),
    value: new Uint8Array(900).fill(number),
  }));
  puts.push({ key: nameKey, value: Uint8Array.of(number >> 8, number & 255) });
  const gone = (first + 1500) % 3000;
  return { puts, deletes: [Uint8Array.of(1, gone >> 8, gone & 255)] };
}

/** Number of the newest batch that a store holds; 0 if none. */
export async function newestBatch(store: StoreReader): Promise<number> {
  const [high = 0, low = 0] = (await valueOf(store, nameKey)) ?? [];
  return 256 * high + low;
}
