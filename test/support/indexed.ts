/** What an index holds, however its records lie in the store. */

import { allRecords, kinds } from '../../src/indexer/layout/layout.js';
import { readHead } from '../../src/indexer/sealed/head.js';
import { atMoment } from '../../src/indexer/sealed/moment.js';
import { sealed } from '../../src/indexer/sealed/sealedStore.js';
import { readRecords } from '../../src/indexer/segments/readRecords.js';
import type { Entry, Store } from '../../src/tree/index.js';
import { toHex } from './hex.js';
import { entriesOf } from './stores.js';

/** What says where records lie, or lay: pages, sums, the head, and what blocks overwrote. */
const places: readonly number[] = [
  ...[kinds.page, kinds.undo, kinds.head, kinds.headCopy, kinds.recordSum, kinds.numberSum],
];

/** All records, and all entries about the index itself but where records lie: a line each, in order. */
export async function contentOf(store: Store): Promise<string[]> {
  const index = sealed(store);
  const lines: string[] = [];
  const add = (key: Uint8Array, value: Uint8Array) => lines.push(`${toHex(key)} ${toHex(value)}`);
  for (const { key, value } of await entriesOf(index)) {
    const kind = key[0] as number;
    if (kind < (allRecords.from[0] as number) && !places.includes(kind)) add(key, value);
  }
  const visit = ({ key, value }: Entry) => {
    add(key, value);
    return true;
  };
  await atMoment(index, (moment) => readRecords(moment, allRecords, visit));
  const { newest, final, contracts } = await readHead(index);
  return [...lines, `head ${newest} ${final} ${contracts}`];
}
