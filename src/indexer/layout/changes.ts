/**
 * Collects the changes of blocks to an index. A long run of blocks changes tens of thousands of records, so those of a kind are
 * appended to one piece of memory and sorted at the end. The last change of a key counts, or what all of them add up to. Objects,
 * or a table of keys, would cost several times as much.
 *
 * Contracts and topics are numbered here, in the order of their first event, until the index gives them its own numbers.
 */
import type { Entry } from '../../tree/index.js';
import { writeNumber } from '../../tree/store/numbers.js';
import { writeSigned } from './combine.js';
import { KindRecords, noRecords, type RecordsMark } from './kindRecords.js';
import { placeWidth, type RecordKind, recordKinds } from './layout.js';
import { encodeNumbers, NumberedNames } from './names.js';
import { headWidth, maxRecord, PageRecord, type Records, states } from './record.js';

const emptyBytes = new Uint8Array(0);

/** First bytes of keys are below this. */
const firstBytes = 128;

/** A place among changes; made by `Changes.mark`. */
interface ChangesMark {
  /** By the first byte of a kind. */
  readonly kinds: readonly (RecordsMark | undefined)[];
  readonly contracts: number;
  readonly topics: number;
}

export class Changes {
  /** By the first byte of a kind, those of which there was a record. */
  readonly #kinds: (KindRecords | undefined)[] = new Array(firstBytes).fill(undefined);
  readonly #contracts = new NumberedNames();
  readonly #topics = new NumberedNames();
  /** Those of the kind of the record that is being written, which lies behind the last of them. */
  #own = new KindRecords();
  #bytes: Uint8Array = emptyBytes;
  #at = 0;
  /** Where the value of the record begins that is being written. */
  #valueAt = 0;

  /** How many records were written; a record that was written twice counts twice. */
  get size(): number {
    return this.byKind().reduce((sum, { starts }) => sum + starts.length, 0);
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
      kinds: this.#kinds.map((records) => records?.mark()),
      contracts: this.contracts.length,
      topics: this.topics.length,
    };
  }

  /** Takes back everything that was written after a mark. */
  backTo({ kinds, contracts, topics }: ChangesMark): void {
    for (const [i, records] of this.#kinds.entries()) records?.backTo(kinds[i] ?? noRecords);
    this.#contracts.cut(contracts);
    this.#topics.cut(topics);
  }

  /** Takes back everything, and keeps the memory. */
  clear(): void {
    this.backTo({ kinds: [], contracts: 0, topics: 0 });
  }

  /** Adds the records of other changes, which are newer; their contracts and topics have no numbers of the index yet. */
  append(other: Changes): void {
    const numbers = {
      contracts: other.contracts.map((address) => this.contract(address)),
      topics: other.topics.map((topic) => this.topic(topic)),
    };
    for (const [firstByte, records] of other.#kinds.entries()) {
      if (records) this.#ofKind(firstByte).append(records, numbers);
    }
  }

  #ofKind(firstByte: number): KindRecords {
    const known = this.#kinds[firstByte];
    if (known) return known;
    const records = new KindRecords();
    this.#kinds[firstByte] = records;
    return records;
  }

  /** Begins a record with its key. `put` or `delete` ends it. */
  key(kind: RecordKind): this {
    const firstByte = recordKinds[kind];
    const own = this.#ofKind(firstByte);
    own.makeRoom(maxRecord);
    this.#own = own;
    this.#bytes = own.bytes;
    this.#at = own.end + headWidth;
    return this.byte(firstByte);
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
    this.#at = this.#own.contracts.add(number, this.#at);
    return this;
  }

  ofTopic(number: number): this {
    this.#at = this.#own.topics.add(number, this.#at);
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
    const own = this.#own;
    const start = own.end;
    bytes[start] = this.#valueAt - start - headWidth;
    bytes[start + 1] = this.#at - this.#valueAt;
    own.end = this.#at;
    own.starts.push(start);
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
    const [ofContracts, ofTopics] = [encodeNumbers(contracts), encodeNumbers(topics)];
    for (const records of this.byKind()) {
      records.contracts.write(records.bytes, ofContracts);
      records.topics.write(records.bytes, ofTopics);
    }
  }

  /** The records kind by kind, in the order of the kinds. Sorted a kind at a time, those of a long range hold others less long. */
  byKind(): KindRecords[] {
    const isUsed = (records: KindRecords | undefined): records is KindRecords =>
      records !== undefined && records.starts.length > 0;
    return this.#kinds.filter(isUsed);
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
