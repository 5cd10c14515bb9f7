/** How large a genesis this process can take: it is one block, and held in memory whole. */
import { getHeapStatistics } from 'node:v8';

/** Bytes of heap that a process takes without a genesis, with a reserve. */
const baseBytes = 64 * 2 ** 20;

/**
 * Bytes of heap for an account or a slot of a genesis, from its line to its entries in the store. Measured with 8,000 and
 * 28,000 of them: 4350; the rest is a reserve.
 */
const leafBytes = 5120;

/** Bytes of heap that Node lets this process have. */
const heapBytes = (): number => getHeapStatistics().heap_size_limit;

/** Leaves that fit, as `loadStateFile` counts them. */
export const leavesThatFit = (): number =>
  Math.max(0, Math.floor((heapBytes() - baseBytes) / leafBytes));

/** What to do when they do not. */
export const roomHint = (): string =>
  `Node gives this process a heap of ${Math.floor(heapBytes() / 2 ** 20)} MiB; with NODE_OPTIONS=--max-old-space-size=MIB it gives more`;
