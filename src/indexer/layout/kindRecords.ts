/** Changes of one kind of record, one behind the other, which are put into order. */
import { sortRecords } from '../../tree/load/sortRecords.js';
import { isAdding, RecordSum } from './combine.js';
import { NameUses } from './names.js';
import { NumberList } from './numberList.js';
import { headWidth, isSameKey, maxRecord, type RecordSink, Records } from './record.js';

/** A place among records; made by `KindRecords.mark`. */
export interface RecordsMark {
  readonly records: number;
  readonly end: number;
  readonly contracts: number;
  readonly topics: number;
}

/** The place before the first record. */
export const noRecords: RecordsMark = { records: 0, end: 0, contracts: 0, topics: 0 };

/**
 * Records of other kinds lie in other memory: among them, a processor would have to fetch most that are looked at while they are
 * put into order.
 */
export class KindRecords {
  /** The records, the older ones first. */
  bytes: Uint8Array = new Uint8Array(2 * maxRecord);
  /** End of the last record. */
  end = 0;
  /** Offset of each record. */
  readonly starts: NumberList = new NumberList();
  /** Where the numbers of contracts and of topics stand. */
  readonly contracts: NameUses = new NameUses();
  readonly topics: NameUses = new NameUses();

  /** Makes room for so many bytes behind the last record. It takes more than that, since it copies all each time. */
  makeRoom(width: number): void {
    if (this.end + width <= this.bytes.length) return;
    const longer = new Uint8Array(Math.max(2 * this.bytes.length, this.end + width));
    longer.set(this.bytes.subarray(0, this.end));
    this.bytes = longer;
  }

  mark(): RecordsMark {
    return {
      records: this.starts.length,
      end: this.end,
      contracts: this.contracts.count,
      topics: this.topics.count,
    };
  }

  /** Takes back all records that were added after a mark. */
  backTo({ records, end, contracts, topics }: RecordsMark): void {
    this.starts.cut(records);
    this.end = end;
    this.contracts.cut(contracts);
    this.topics.cut(topics);
  }

  /** Adds other records of the kind, which are newer. @param numbers those that the names of the others have here */
  append(
    other: KindRecords,
    numbers: { contracts: readonly number[]; topics: readonly number[] },
  ): void {
    const by = this.end;
    this.makeRoom(other.end);
    this.bytes.set(other.bytes.subarray(0, other.end), by);
    this.starts.append(other.starts.all, by);
    this.contracts.append(other.contracts, { by, numbers: numbers.contracts });
    this.topics.append(other.topics, { by, numbers: numbers.topics });
    this.end += other.end;
  }

  /**
   * Gives them in the order of their keys: of those of one key the last one, or what all of them add up to.
   *
   * @param sink may not keep what it is given
   */
  inOrder(sink: RecordSink): void {
    // Behind the records, for what those of one key add up to.
    this.makeRoom(maxRecord);
    const sumAt = this.end;
    const records = new Records(this.bytes);
    const { bytes } = records;
    // A copy: who takes records back needs them in the order in which they came.
    const starts = this.starts.all.slice();
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
}
