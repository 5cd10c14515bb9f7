/** Changes of one kind of record, which are put into order. */
import { sortRecords } from '../../tree/load/sortRecords.js';
import { isAdding, RecordSum } from './combine.js';
import { copyRecord, headWidth, isSameKey, type RecordSink, type Records } from './record.js';

export class KindRecords {
  readonly #source: Records;
  readonly #target: Records;
  readonly #starts: Uint32Array;
  readonly #width: number;

  /**
   * @param source holds records of other kinds, too
   * @param target has room for those of the kind, and for one more
   * @param starts where those of the kind begin, the older ones first
   * @param width bytes of them
   */
  constructor(
    { source, target }: { source: Records; target: Records },
    starts: Uint32Array,
    width: number,
  ) {
    this.#source = source;
    this.#target = target;
    this.#starts = starts;
    this.#width = width;
  }

  /**
   * Gives them in the order of their keys: of those of one key the last one, or what all of them add up to.
   *
   * @param sink may not keep what it is given
   */
  inOrder(sink: RecordSink): void {
    const records = this.#target;
    const { bytes } = records;
    const starts = this.#gather();
    // Behind them is room for what those of one key add up to.
    const sumAt = this.#width;
    // The first byte of a record is the width of its key; the first one of the key is its kind.
    sortRecords({ bytes, ahead: headWidth, width: undefined }, starts, 1);
    const isSum = isAdding(bytes[headWidth] as number);
    const sum = new RecordSum();
    for (let i = 0; i < starts.length; ) {
      const first = starts[i++] as number;
      let last = first;
      for (; i < starts.length; i++) {
        const next = starts[i] as number;
        if (!isSameKey(records, first, records, next)) break;
        if (isSum && last === first) sum.begin(bytes, first);
        if (isSum) sum.add(bytes, next);
        last = next;
      }
      if (isSum && last !== first) {
        sum.write(bytes, sumAt);
        last = sumAt;
      }
      sink.add(records, last);
    }
  }

  /**
   * Copies them next to each other: among those of all other kinds, a processor would have to fetch most that are looked at.
   *
   * @returns where each begins
   */
  #gather(): Uint32Array {
    const source = this.#source;
    const from = this.#starts;
    const starts = new Uint32Array(from.length);
    let end = 0;
    for (let i = 0; i < from.length; i++) {
      starts[i] = end;
      end = copyRecord(source, from[i] as number, this.#target, end);
    }
    return starts;
  }
}
