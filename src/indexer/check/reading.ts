/** Lists of records as a check reads them: each in its order, of blocks that the index has, and no more than a bound. */
import { yieldToEventLoop } from '../../concurrent.js';
import type { Store } from '../../tree/index.js';
import { compareKeys } from '../../tree/store/keys.js';
import { IndexError } from '../layout/errors.js';
import type { KeyBounds } from '../layout/layout.js';
import { blockIn, type PageRecord } from '../layout/record.js';
import { atMoment } from '../sealed/moment.js';
import { readRecords } from '../segments/readRecords.js';

/** Reads the records of one moment, and counts them. */
export class CheckReader {
  readonly store: Store;
  readonly #newest: number;
  readonly #signal: AbortSignal | undefined;
  #records = 0;

  /** @param newest the newest block of the index */
  constructor(store: Store, newest: number, signal: AbortSignal | undefined) {
    this.store = store;
    this.#newest = newest;
    this.#signal = signal;
  }

  /** Records that were read so far. */
  get records(): number {
    return this.#records;
  }

  /**
   * Reads the records within bounds.
   *
   * @param most records that are read
   * @returns whether there are no more
   * @throws IndexError `DAMAGED`; the signal's reason
   */
  async read(
    bounds: KeyBounds,
    most: number,
    visit: (record: PageRecord) => void,
  ): Promise<boolean> {
    let last: Uint8Array | undefined;
    let count = 0;
    let isStopped = false;
    const visitRecord = (record: PageRecord): boolean => {
      isStopped = count === most || this.#signal?.aborted === true;
      if (isStopped) return false;
      const { key, value } = record;
      if (last !== undefined && compareKeys(last, key) >= 0) {
        throw new IndexError('DAMAGED', 'records of the index are out of order');
      }
      if (blockIn(value) > this.#newest) {
        throw new IndexError('DAMAGED', 'a record is of a block that the index does not have');
      }
      last = key;
      count++;
      visit(record);
      return true;
    };
    await atMoment(this.store, (moment) => readRecords(moment, bounds, visitRecord));
    this.#records += count;
    await yieldToEventLoop();
    this.#signal?.throwIfAborted();
    return !isStopped;
  }
}
