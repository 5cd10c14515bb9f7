/** Finds a block by its hash. Stores that an older version wrote have no such index for the blocks of that time. */
import { equalBytes, isZero } from '../bytes.js';
import { blockWidth } from '../hash/family.js';
import { allBlocks, blockKey, decodeNumber, hashKey, lastNumberOf, maxBlock } from './layout.js';
import { endOf } from './scan.js';
import type { StoreReader } from './store.js';

/** Blocks that are searched if the index may lack some: as many final ones as a store keeps by default. */
const searchedBlocks = 128;

/** The hash in what is kept of a block; it is zero, or missing, if the block came without one. */
const hashIn = (summary: Uint8Array): Uint8Array => summary.subarray(blockWidth, 2 * blockWidth);

/** The keys that the index holds for a block: one, or none if the block came without a hash. */
export const indexKeys = (summary: Uint8Array | undefined): Uint8Array[] =>
  summary && !isZero(hashIn(summary)) ? [hashKey(hashIn(summary))] : [];

/** Whether every block held that has a hash is in the index: if the oldest is, the later ones are too. */
async function isIndexed(reader: StoreReader): Promise<boolean> {
  const [oldest] = await reader.range(allBlocks, endOf(allBlocks), { limit: 1, reverse: false });
  if (oldest === undefined) return true;
  const [key] = indexKeys(oldest.value);
  return key !== undefined && (await reader.get(key)) !== undefined;
}

/** Looks through the newest blocks up to one. */
async function search(
  reader: StoreReader,
  hash: Uint8Array,
  atMost: number,
): Promise<number | undefined> {
  const newest = await reader.range(allBlocks, blockKey(atMost + 1), {
    limit: searchedBlocks,
    reverse: true,
  });
  const found = newest.find(({ value }) => equalBytes(hashIn(value), hash));
  return found && lastNumberOf(found.key);
}

/** Number of the block held that was applied with a hash, unless it is above `atMost`. */
export async function blockOfHash(
  reader: StoreReader,
  hash: Uint8Array,
  atMost: number = maxBlock,
): Promise<number | undefined> {
  const found = await reader.get(hashKey(hash));
  if (found === undefined) {
    return (await isIndexed(reader)) ? undefined : search(reader, hash, atMost);
  }
  const block = decodeNumber(found);
  if (block > atMost) return undefined;
  // Two blocks with one hash would share an entry: the block's own word counts.
  const summary = await reader.get(blockKey(block));
  return summary && equalBytes(hashIn(summary), hash) ? block : undefined;
}
