/** Loose records: entries of their own, which few blocks left. Once they are many and final, they become a segment. */
import type { Store } from '../../tree/index.js';
import { keyAfter } from '../../tree/store/scan.js';
import { allRecords } from '../layout/layout.js';
import { pageOf } from '../layout/page.js';
import { blockIn, Records } from '../layout/record.js';
import { headEntries, readHead } from '../sealed/head.js';
import { encodePage } from './pages.js';
import type { Segments } from './segments.js';
import type { Sizes } from './sizes.js';

/** Records that are made a segment at a time. */
const manyAtOnce = 32_768;

export class LooseRecords {
  readonly #store: Store;
  readonly #segments: Segments;
  readonly #sizes: Sizes;
  /** Records written since the last gathering, and those left over then; undefined before they are counted. */
  #written: number | undefined;
  #left = 0;

  constructor(store: Store, segments: Segments, sizes: Sizes) {
    this.#store = store;
    this.#segments = segments;
    this.#sizes = sizes;
  }

  /** Takes note of records that were written. */
  wrote(count: number): void {
    if (this.#written !== undefined) this.#written += count;
  }

  /** Gathers those that are final once they are many. */
  async gatherMany(final: number): Promise<void> {
    const { loose } = this.#sizes;
    this.#written ??= (await this.#read(allRecords.from, loose)).length;
    // Gathering looks through those left over again, so it waits until at least as many were written.
    if (this.#written >= Math.max(loose, this.#left)) await this.gather(final);
  }

  /** Makes segments of all loose records that are final. */
  async gather(final: number): Promise<void> {
    let left = 0;
    for (let from: Uint8Array | undefined = allRecords.from; from !== undefined; ) {
      const entries = await this.#read(from, manyAtOnce);
      const settled = entries.filter(({ value }) => blockIn(value) <= final);
      left += entries.length - settled.length;
      const last = entries.at(-1);
      from = last && entries.length === manyAtOnce ? keyAfter(last.key) : undefined;
      if (settled.length === 0) continue;
      const { bytes, starts } = pageOf(encodePage(settled));
      const records = new Records(bytes);
      const writer = this.#segments.writer();
      for (const at of starts) writer.add(records, at);
      const { puts, head } = this.#segments.add(await readHead(this.#store), writer.pages());
      const deletes = settled.map(({ key }) => key);
      await this.#store.write({ puts: [...puts, ...headEntries(head)], deletes });
      writer.release();
    }
    this.#written = 0;
    this.#left = left;
  }

  async #read(from: Uint8Array, limit: number) {
    const range = { from, to: allRecords.to, limit, reverse: false };
    return (await this.#store.read({ keys: [], ranges: [range] })).ranges[0] ?? [];
  }
}
