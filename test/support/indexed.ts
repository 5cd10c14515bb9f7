/** What an index holds, however its records lie in the store. */
import { allRecords, kinds } from '../../src/indexer/layout.js';
import { readRecords } from '../../src/indexer/readRecords.js';
import type { Store } from '../../src/tree/index.js';
import { toHex } from './hex.js';
import { entriesOf } from './stores.js';

/** What says where records lie, or lay: segments, pages, and what blocks overwrote. */
const places: readonly number[] = [kinds.segment, kinds.page, kinds.undo];

/** All records, and all entries about the index itself but where records lie: a line each, in order. */
export async function contentOf(store: Store): Promise<string[]> {
  const lines: string[] = [];
  const add = (key: Uint8Array, value: Uint8Array) => lines.push(`${toHex(key)} ${toHex(value)}`);
  for (const { key, value } of await entriesOf(store)) {
    const kind = key[0] as number;
    if (kind < (allRecords.from[0] as number) && !places.includes(kind)) add(key, value);
  }
  await readRecords(store, allRecords, ({ key, value }) => {
    add(key, value);
    return true;
  });
  return lines;
}
