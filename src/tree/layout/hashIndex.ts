/** Finds a block by its hash. Stores that an older version wrote have no such index for the blocks of that time. */
import { equalBytes, isZero } from '../../bytes.js';
import { blockWidth } from '../../hash/family.js';
import { maxBlock } from '../store/numbers.js';
import { type Reading, readRange, readValue } from '../store/reading.js';
import { oldestSummary } from './blocks.js';
import { allBlocks, blockHashKey, blockKey, decodeNumber, lastNumberOf } from './layout.js';

/** Blocks that are searched if the index may lack some: as many final ones as a store keeps by default. */
const searchedBlocks = 128;

/** The hash in a block's summary; it is zero, or missing, if the block came without one. */
const hashIn = (summary: Uint8Array): Uint8Array => summary.subarray(blockWidth, 2 * blockWidth);

/** The keys that the index holds for a block: one, or none if the block came without a hash. */
export const indexKeys = (summary: Uint8Array | undefined): Uint8Array[] =>
  summary && !isZero(hashIn(summary)) ? [blockHashKey(hashIn(summary))] : [];

/** Whether every block held that has a hash is in the index: if the oldest is, the later ones are too. */
function* isIndexed(): Reading<boolean> {
  const oldest = yield* oldestSummary();
  if (oldest === undefined) return true;
  const [key] = indexKeys(oldest.value);
  return key !== undefined && (yield* readValue(key)) !== undefined;
}

/** Looks through the newest blocks up to one. */
function* search(hash: Uint8Array, atMost: number): Reading<number | undefined> {
  const newest = yield* readRange({
    from: allBlocks,
    to: blockKey(atMost + 1),
    limit: searchedBlocks,
    reverse: true,
  });
  const found = newest.find(({ value }) => equalBytes(hashIn(value), hash));
  return found && lastNumberOf(found.key);
}

/** Number of the block held that was applied with a hash, unless it is above `atMost`. */
export function* readBlockOfHash(
  hash: Uint8Array,
  atMost: number = maxBlock,
): Reading<number | undefined> {
  const found = yield* readValue(blockHashKey(hash));
  if (found === undefined) return (yield* isIndexed()) ? undefined : yield* search(hash, atMost);
  const block = decodeNumber(found);
  if (block > atMost) return undefined;
  // Two blocks with one hash would share an entry, so the summary of the block decides.
  const summary = yield* readValue(blockKey(block));
  return summary && equalBytes(hashIn(summary), hash) ? block : undefined;
}
