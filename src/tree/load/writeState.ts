/**
 * Writes a whole state, built before, into a store that holds none. Until the last batch, a mark
 * stands in place of the store's format, so that no reader takes a part for the whole. If a load
 * was killed, its remains are cleared when the store is next opened to write.
 */
import type { HashFamily } from '../../hash/index.js';
import { BlockBatch, type BlockWords } from '../layout/blockBatch.js';
import { formatMark, markEntry } from '../layout/format.js';
import { encodeNumber, finalKey, formatKey, loadingKey } from '../layout/layout.js';
import type { Store } from '../store/store.js';
import type { StateSpills } from './stateSpills.js';
import { type BulkWork, Stage } from './work.js';

/** The block that a state belongs to. */
interface FirstBlock extends BlockWords {
  readonly number: number;
  /** 32 bytes. */
  readonly stateRoot: Uint8Array;
}

/** Writes a state with its block, which is final. @param store an empty one, or one with no more than its format */
export async function writeState(
  store: Store,
  { hash, block, spills }: { hash: HashFamily; block: FirstBlock; spills: StateSpills },
  work: BulkWork,
): Promise<void> {
  const stage = new Stage(work, 'write', spills.length);
  const mark = { key: loadingKey, value: new TextEncoder().encode(hash) };
  await store.write({ puts: [mark], deletes: [formatKey] });
  let done = 0;
  for await (const puts of spills.pages()) {
    await store.write({ puts, deletes: [] });
    for (const { key, value } of puts) done += key.length + value.length;
    await stage.turn(done);
  }
  const blockBatch = new BlockBatch({ number: block.number, hasEarlier: false });
  const { batch } = blockBatch.finish(block.stateRoot, block);
  const last = [
    ...batch.puts,
    { key: finalKey(block.number), value: encodeNumber(1) },
    markEntry(formatMark(hash)),
  ];
  await store.write({ puts: last, deletes: [loadingKey] });
}
