/**
 * Writes a whole state, built before, into a store that holds none. Until the last batch, a mark
 * stands in place of the store's format, so that no reader takes a part for the whole. If a load
 * was killed, its remains are cleared when the store is next opened to write.
 */
import type { HashFamily } from '../../hash/index.js';
import { BlockDraft, type BlockWords } from '../layout/blockDraft.js';
import { markEntry, markOf } from '../layout/format.js';
import { encodeNumber, finalKey, formatKey, loadingKey } from '../layout/layout.js';
import type { Store } from '../store/store.js';
import type { StateSpools } from './stateSpools.js';
import { type BulkWork, Stage } from './work.js';

/** The block that a state belongs to. */
export interface FirstBlock extends BlockWords {
  readonly number: number;
  /** 32 bytes. */
  readonly stateRoot: Uint8Array;
}

/**
 * Writes a state with its block, which is final.
 *
 * @param store an empty one, or one with no more than its format
 */
export async function writeState(
  store: Store,
  { hash, block, spools }: { hash: HashFamily; block: FirstBlock; spools: StateSpools },
  work: BulkWork,
): Promise<void> {
  const stage = new Stage(work, 'write', spools.length);
  const mark = { key: loadingKey, value: new TextEncoder().encode(hash) };
  await store.write({ puts: [mark], deletes: [formatKey] });
  let done = 0;
  for await (const puts of spools.pages()) {
    await store.write({ puts, deletes: [] });
    for (const { key, value } of puts) done += key.length + value.length;
    await stage.turn(done);
  }
  const draft = new BlockDraft({ number: block.number, hasEarlier: false });
  const { batch } = draft.finish(block.stateRoot, block);
  const last = [
    ...batch.puts,
    { key: finalKey(block.number), value: encodeNumber(1) },
    markEntry(markOf(hash)),
  ];
  await store.write({ puts: last, deletes: [loadingKey] });
}
