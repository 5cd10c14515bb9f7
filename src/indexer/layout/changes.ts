/**
 * Collects the changes of blocks to an index. A long run of blocks changes tens of thousands of records, so they are appended
 * to one piece of memory and sorted at the end; the last change of a key counts. Objects, or a table of keys, would cost
 * several times as much.
 *
 * Contracts are numbered here, in the order of their first event, until the index gives them its own numbers.
 */
import type { Entry } from '../../tree/index.js';
import { sortRecords } from '../../tree/load/sortRecords.js';
import { writeNumber } from '../../tree/store/numbers.js';
import { contractWidth, type RecordKind, recordKinds } from './layout.js';
import { compareRecordKeys, headWidth, keyAt, maxRecord, states, valueAt } from './record.js';

const emptyBytes = new Uint8Array(0);

/** A place among changes; made by `Changes.mark`. */
interface ChangesMark {
  readonly records: number;
  readonly end: number;
  readonly ofContracts: number;
  readonly contracts: number;
}

export class Changes {
  /** Records, back to back. The record that is being written lies behind the last one. */
  #bytes = new Uint8Array(4096);
  /** Offset of each record. */
  readonly #starts: number[] = [];
  /** For each record about a contract: the offset of the contract's number, and the number that it has here. */
  readonly #contractsAt: number[] = [];
  readonly #contractOf: number[] = [];
  readonly #contracts = new Map<string, number>();
  #at = 0;
  /** End of the last record. */
  #end = 0;

  /** How many records were written; a record that was written twice counts twice. */
  get size(): number {
    return this.#starts.length;
  }

  /** Addresses in lower case with 0x, in the order of their first event. */
  get contracts(): readonly string[] {
    return [...this.#contracts.keys()];
  }

  /** The number that a contract has here. */
  contract(address: string): number {
    let number = this.#contracts.get(address);
    if (number === undefined) {
      number = this.#contracts.size;
      this.#contracts.set(address, number);
    }
    return number;
  }

  /** The records and contracts so far. */
  mark(): ChangesMark {
    return {
      records: this.#starts.length,
      end: this.#end,
      ofContracts: this.#contractsAt.length,
      contracts: this.#contracts.size,
    };
  }

  /** Takes back everything that was written after a mark. */
  backTo({ records, end, ofContracts, contracts }: ChangesMark): void {
    this.#starts.length = records;
    this.#end = end;
    this.#contractsAt.length = ofContracts;
    this.#contractOf.length = ofContracts;
    for (const address of this.contracts.slice(contracts)) this.#contracts.delete(address);
  }

  /** Begins a record with its key. `put` or `delete` ends it. */
  key(kind: RecordKind): this {
    this.#at = this.#end + headWidth;
    if (this.#end + maxRecord > this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#bytes.length);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[this.#at++] = recordKinds[kind];
    return this;
  }

  byte(value: number): this {
    this.#bytes[this.#at++] = value;
    return this;
  }

  part(part: Uint8Array): this {
    const bytes = this.#bytes;
    const at = this.#at;
    // A loop: for so few bytes, `set` takes longer.
    for (let i = 0; i < part.length; i++) bytes[at + i] = part[i] as number;
    this.#at = at + part.length;
    return this;
  }

  ofContract(number: number): this {
    this.#contractsAt.push(this.#at);
    this.#contractOf.push(number);
    this.#at += contractWidth;
    return this;
  }

  /** @param body the content of the record; all records of a kind have one width */
  put(block: Uint8Array, body: Uint8Array = emptyBytes): void {
    this.#close(states.there, block, body);
  }

  /** Marks a record as gone. Only kinds of records whose body is empty can be deleted. */
  delete(block: Uint8Array): void {
    this.#close(states.gone, block, emptyBytes);
  }

  /** Gives contracts the index's numbers, in the order of `contracts`. Called once, at the end. */
  number(numbers: readonly number[]): void {
    // Encoded once for each contract: encoding a number takes several times as long as copying its bytes.
    const written = new Uint8Array(contractWidth * numbers.length);
    for (const [i, number] of numbers.entries()) {
      writeNumber(written, contractWidth * i, number, contractWidth);
    }
    const bytes = this.#bytes;
    for (let i = 0; i < this.#contractsAt.length; i++) {
      const at = this.#contractsAt[i] as number;
      const from = contractWidth * (this.#contractOf[i] as number);
      for (let k = 0; k < contractWidth; k++) bytes[at + k] = written[from + k] as number;
    }
  }

  /** Goes through the records in the order of their keys. */
  inOrder(visit: (bytes: Uint8Array, at: number) => void): void {
    const bytes = this.#bytes;
    const starts = new Uint32Array(this.#starts);
    // The first byte of a record is the width of its key.
    sortRecords({ bytes, ahead: headWidth, width: undefined }, starts);
    for (let i = 0; i < starts.length; i++) {
      const at = starts[i] as number;
      const next = starts[i + 1];
      // If a key comes several times, its last change counts.
      if (next === undefined || !isSameKey(bytes, at, next)) visit(bytes, at);
    }
  }

  /** Entries of the records, in the order of their keys. */
  entries(): Entry[] {
    const entries: Entry[] = [];
    this.inOrder((bytes, at) => entries.push({ key: keyAt(bytes, at), value: valueAt(bytes, at) }));
    return entries;
  }

  #close(state: number, block: Uint8Array, body: Uint8Array): void {
    const bytes = this.#bytes;
    const start = this.#end;
    const valueAt = this.#at;
    this.byte(state).part(block).part(body);
    bytes[start] = valueAt - start - headWidth;
    bytes[start + 1] = this.#at - valueAt;
    this.#end = this.#at;
    this.#starts.push(start);
  }
}

const isSameKey = (bytes: Uint8Array, a: number, b: number): boolean =>
  bytes[a] === bytes[b] && compareRecordKeys(bytes, a, bytes, b) === 0;
