/**
 * Collects the changes of blocks to an index. A long run of blocks changes tens of thousands of records, so they are appended
 * to one piece of memory and sorted at the end. The last change of a key counts, or what all of them add up to. Objects, or
 * a table of keys, would cost several times as much.
 *
 * Contracts and topics are numbered here, in the order of their first event, until the index gives them its own numbers.
 */
import type { Entry } from '../../tree/index.js';
import { writeNumber } from '../../tree/store/numbers.js';
import { writeSigned } from './combine.js';
import { KindRecords } from './kindRecords.js';
import { placeWidth, type RecordKind, recordKinds } from './layout.js';
import { type NamesMark, NumberedNames, noNames } from './names.js';
import { NumberList } from './numberList.js';
import { headWidth, maxRecord, PageRecord, Records, recordWidth, states } from './record.js';

const emptyBytes = new Uint8Array(0);

/** A place among changes; made by `Changes.mark`. */
interface ChangesMark {
  readonly records: number;
  readonly end: number;
  readonly contracts: NamesMark;
  readonly topics: NamesMark;
}

export class Changes {
  /** Records, back to back. The record that is being written lies behind the last one. */
  #bytes: Uint8Array;
  /** Offset of each record. */
  readonly #starts = new NumberList();
  readonly #contracts = new NumberedNames();
  readonly #topics = new NumberedNames();
  #at = 0;
  /** Where the value of the record begins that is being written. */
  #valueAt = 0;
  /** End of the last record. */
  #end = 0;

  /** @param room bytes that it has from the beginning: it takes more whenever it needs more, and each time copies all */
  constructor(room = 4096) {
    this.#bytes = new Uint8Array(room);
  }

  /** Bytes of the records. */
  get width(): number {
    return this.#end;
  }

  /** How many records were written; a record that was written twice counts twice. */
  get size(): number {
    return this.#starts.length;
  }

  /** Addresses in lower case with 0x, in the order of their first event. */
  get contracts(): readonly string[] {
    return this.#contracts.all;
  }

  /** Topics in lower case with 0x, in the order of their first event. */
  get topics(): readonly string[] {
    return this.#topics.all;
  }

  /** The number that a contract has here. */
  contract(address: string): number {
    return this.#contracts.number(address);
  }

  /** The number that a topic has here. */
  topic(topic: string): number {
    return this.#topics.number(topic);
  }

  /** The records, contracts and topics so far. */
  mark(): ChangesMark {
    return {
      records: this.#starts.length,
      end: this.#end,
      contracts: this.#contracts.mark(),
      topics: this.#topics.mark(),
    };
  }

  /** Takes back everything that was written after a mark. */
  backTo({ records, end, contracts, topics }: ChangesMark): void {
    this.#starts.cut(records);
    this.#end = end;
    this.#contracts.backTo(contracts);
    this.#topics.backTo(topics);
  }

  /** Takes back everything, and keeps the memory. */
  clear(): void {
    this.backTo({ records: 0, end: 0, contracts: noNames, topics: noNames });
  }

  /** Adds the records of other changes, which are newer; their contracts and topics have no numbers of the index yet. */
  append(other: Changes): void {
    this.#makeRoom(other.#end);
    this.#bytes.set(other.#bytes.subarray(0, other.#end), this.#end);
    this.#starts.append(other.#starts.all, this.#end);
    this.#contracts.append(other.#contracts, this.#end);
    this.#topics.append(other.#topics, this.#end);
    this.#end += other.#end;
  }

  #makeRoom(width: number): void {
    if (this.#end + width <= this.#bytes.length) return;
    const room = Math.max(2 * this.#bytes.length, this.#end + width);
    const longer = new Uint8Array(room);
    longer.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = longer;
  }

  /** Begins a record with its key. `put` or `delete` ends it. */
  key(kind: RecordKind): this {
    this.#at = this.#end + headWidth;
    this.#makeRoom(maxRecord);
    this.#bytes[this.#at++] = recordKinds[kind];
    return this;
  }

  byte(value: number): this {
    this.#bytes[this.#at++] = value;
    return this;
  }

  part(part: Uint8Array): this {
    return this.partFrom(part, 0);
  }

  /** Bytes of an array from one on. */
  partFrom(part: Uint8Array, from: number): this {
    const bytes = this.#bytes;
    const at = this.#at - from;
    // A loop: for so few bytes, `set` takes longer.
    for (let i = from; i < part.length; i++) bytes[at + i] = part[i] as number;
    this.#at = at + part.length;
    return this;
  }

  /** An unsigned number without leading zeros; of 0 no byte. */
  amount(amount: Uint8Array): this {
    let at = 0;
    while (at < amount.length && amount[at] === 0) at++;
    return this.partFrom(amount, at);
  }

  /** An unsigned number as a signed one, or the same below zero. */
  signed(amount: Uint8Array, isNegative: boolean): this {
    this.#at = writeSigned(amount, isNegative, { out: this.#bytes, at: this.#at });
    return this;
  }

  /** A count of something in a block, in as many bytes as a place inside a block. */
  place(number: number): this {
    writeNumber(this.#bytes, this.#at, number, placeWidth);
    this.#at += placeWidth;
    return this;
  }

  ofContract(number: number): this {
    this.#at = this.#contracts.use(number, this.#at);
    return this;
  }

  ofTopic(number: number): this {
    this.#at = this.#topics.use(number, this.#at);
    return this;
  }

  /** Begins the value of a record with its key complete; parts of its body may follow. `end` ends it. */
  value(block: Uint8Array): this {
    this.#valueAt = this.#at;
    return this.byte(states.there).part(block);
  }

  /** Ends a record that has its value. */
  end(): void {
    const bytes = this.#bytes;
    const start = this.#end;
    bytes[start] = this.#valueAt - start - headWidth;
    bytes[start + 1] = this.#at - this.#valueAt;
    this.#end = this.#at;
    this.#starts.push(start);
  }

  /** @param body the content of the record */
  put(block: Uint8Array, body: Uint8Array = emptyBytes): void {
    this.value(block).part(body).end();
  }

  /** Marks a record as gone. Only kinds of records whose body is empty can be deleted. */
  delete(block: Uint8Array): void {
    this.#valueAt = this.#at;
    this.byte(states.gone).part(block).end();
  }

  /** Gives contracts and topics the index's numbers, in the order of `contracts` and `topics`. Called once, at the end. */
  number({ contracts, topics }: { contracts: readonly number[]; topics: readonly number[] }): void {
    this.#contracts.write(this.#bytes, contracts);
    this.#topics.write(this.#bytes, topics);
  }

  /**
   * The records kind by kind, in the order of the kinds. Sorted a kind at a time, the records of a long range hold others a
   * fraction of the time. They use the same memory, so one is put into order after the other.
   */
  byKind(): KindRecords[] {
    const bytes = this.#bytes;
    const starts = this.#starts.all;
    const counts = new Uint32Array(256);
    const widths = new Uint32Array(256);
    for (let i = 0; i < starts.length; i++) {
      const start = starts[i] as number;
      const kind = this.#kindAt(start);
      counts[kind] = (counts[kind] as number) + 1;
      widths[kind] = (widths[kind] as number) + recordWidth(bytes, start);
    }
    const source = new Records(bytes);
    const target = new Records(new Uint8Array(Math.max(...widths) + maxRecord));
    const all = new Uint32Array(starts.length);
    const places = new Uint32Array(256);
    const found: KindRecords[] = [];
    let end = 0;
    for (const [kind, count] of counts.entries()) {
      places[kind] = end;
      const own = all.subarray(end, end + count);
      const width = widths[kind] as number;
      if (count > 0) found.push(new KindRecords({ source, target }, own, width));
      end += count;
    }
    for (let i = 0; i < starts.length; i++) {
      const start = starts[i] as number;
      const kind = this.#kindAt(start);
      const place = places[kind] as number;
      all[place] = start;
      places[kind] = place + 1;
    }
    return found;
  }

  #kindAt(start: number): number {
    return this.#bytes[start + headWidth] as number;
  }

  /** Entries of the records, in the order of their keys. */
  entries(): Entry[] {
    const entries: Entry[] = [];
    const sink = {
      add({ bytes }: Records, at: number) {
        const { key, value } = new PageRecord(bytes, at);
        entries.push({ key: key.slice(), value: value.slice() });
      },
    };
    for (const records of this.byKind()) records.inOrder(sink);
    return entries;
  }
}
