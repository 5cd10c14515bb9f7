/** What a store holds of its blocks besides their states: which there are, which are final, and what was said of each. */
import { isZero } from '../bytes.js';
import { blockWidth } from '../hash/family.js';
import { TreeError } from './errors.js';
import { allBlocks, allFinals, blockKey, lastNumberOf, maxBlock } from './layout.js';
import { endOf } from './scan.js';
import type { Entry, StoreReader } from './store.js';

/** The entry with the greatest key from `from` on to below `to`. */
async function greatest(
  reader: StoreReader,
  from: Uint8Array,
  to: Uint8Array,
): Promise<Entry | undefined> {
  const [entry] = await reader.range(from, to, { limit: 1, reverse: true });
  return entry;
}

/** The number of a block, from an entry about it. */
export const numberOf = (entry: Entry | undefined): number | undefined =>
  entry && lastNumberOf(entry.key);

/** The newest block held at or below a height. */
export const newestBlock = async (reader: StoreReader, atMost: number = maxBlock) =>
  numberOf(await greatest(reader, allBlocks, blockKey(atMost + 1)));

/** The entry of the newest block that was named final. */
export const newestFinalEntry = (reader: StoreReader) =>
  greatest(reader, allFinals, endOf(allFinals));

/** The newest block that was named final. */
export const newestFinal = async (reader: StoreReader) => numberOf(await newestFinalEntry(reader));

/** The oldest block held. */
export async function oldestBlock(reader: StoreReader): Promise<number | undefined> {
  const [entry] = await reader.range(allBlocks, endOf(allBlocks), { limit: 1, reverse: false });
  return numberOf(entry);
}

/** What is kept of a block besides the state: its state root, its hash and its header's root, if the caller gave them. */
async function summaryOf(reader: StoreReader, block: number): Promise<Uint8Array> {
  const summary = await reader.get(blockKey(block));
  if (summary === undefined) throw new TreeError('BLOCK_MISSING', `block ${block} is not held`);
  return summary;
}

/** Root of a block held. @throws TreeError `BLOCK_MISSING` */
export const rootOf = async (reader: StoreReader, block: number): Promise<Uint8Array> =>
  (await summaryOf(reader, block)).subarray(0, blockWidth);

/** A word behind the state root; undefined if the caller gave none, which zeros stand for in front of another word. */
async function wordOf(reader: StoreReader, block: number, at: number) {
  const summary = await summaryOf(reader, block);
  const word = summary.subarray(blockWidth * at, blockWidth * (at + 1));
  return isZero(word) ? undefined : word;
}

/** Hash of a block held; undefined if it was applied without one. @throws TreeError `BLOCK_MISSING` */
export const hashOf = (reader: StoreReader, block: number) => wordOf(reader, block, 1);

/** Merkle-Patricia root of a block held; undefined if it was applied without one. @throws TreeError `BLOCK_MISSING` */
export const headerRootOf = (reader: StoreReader, block: number) => wordOf(reader, block, 2);
