/**
 * What blocks change in an index: records by key, the last word on each. A long run of blocks changes tens of thousands of
 * them, so they lie in one piece of memory with a hash table beside it: objects and texts would cost several times as much.
 *
 * Contracts have the numbers of this list until the index has given them its own.
 */
import type { Entry } from '../tree/index.js';
import { contractWidth, type RecordKind, recordKinds, writeNumber } from './layout.js';
import { headWidth, keyAt, keyWidth, maxRecord, recordWidth, states, valueAt } from './record.js';
import { sortRecords } from './sort.js';

const none = -1;
const nothing = new Uint8Array(0);

export class Changes {
  /** Records, one behind the other. Behind the last one lies that which is being put together. */
  #bytes = new Uint8Array(4096);
  /** Where each begins. */
  readonly #starts: number[] = [];
  /** Where in a record its contract's number stands; `none` in one without. */
  readonly #contractsAt: number[] = [];
  readonly #hashes: number[] = [];
  /** Indices of records, plus one, by the hash of their keys; 0 is free. */
  #table = new Int32Array(256);
  readonly #contracts = new Map<string, number>();
  #at = 0;
  /** Where the last record ends. */
  #end = 0;
  #contractAt = none;

  /** Records. */
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

  /** Begins a record with its key. `put` or `delete` ends it. */
  key(kind: RecordKind): this {
    this.#at = this.#end + headWidth;
    this.#contractAt = none;
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
    this.#contractAt = this.#at;
    writeNumber(this.#bytes, this.#at, contractWidth, number);
    this.#at += contractWidth;
    return this;
  }

  /** @param body what the record says; of one width for all records of a kind */
  put(block: Uint8Array, body: Uint8Array = nothing): void {
    this.#close(states.there, block, body);
  }

  /** Records of a kind that may be gone say nothing, there or gone. */
  delete(block: Uint8Array): void {
    this.#close(states.gone, block, nothing);
  }

  /** Gives contracts the index's numbers, in the order of `contracts`. Called once, at the end. */
  number(numbers: readonly number[]): void {
    for (const at of this.#contractsAt) {
      if (at === none) continue;
      let local = 0;
      for (let i = 0; i < contractWidth; i++) local = local * 256 + (this.#bytes[at + i] as number);
      writeNumber(this.#bytes, at, contractWidth, numbers[local] as number);
    }
  }

  /** Entries of the records, in the order of their first word. */
  entries(): Entry[] {
    const bytes = this.#bytes;
    return this.#starts.map((at) => ({ key: keyAt(bytes, at), value: valueAt(bytes, at) }));
  }

  /** Goes through the records in the order of their keys. */
  inOrder(visit: (bytes: Uint8Array, at: number) => void): void {
    const starts = new Int32Array(this.#starts);
    sortRecords(this.#bytes, starts);
    for (let i = 0; i < starts.length; i++) visit(this.#bytes, starts[i] as number);
  }

  #close(state: number, block: Uint8Array, body: Uint8Array): void {
    const start = this.#end;
    const bytes = this.#bytes;
    bytes[start] = this.#at - start - headWidth;
    const hash = this.#hash(start, this.#at);
    const mask = this.#table.length - 1;
    let slot = hash & mask;
    for (let found: number; ; slot = (slot + 1) & mask) {
      found = this.#table[slot] as number;
      if (found === 0) break;
      if (this.#hashes[found - 1] !== hash) continue;
      const earlier = this.#starts[found - 1] as number;
      if (!this.#isSame(earlier, start)) continue;
      // As wide as the one before: records of a kind are.
      this.#at = earlier + headWidth + keyWidth(bytes, earlier);
      this.byte(state).part(block).part(body);
      return;
    }
    this.byte(state).part(block).part(body);
    bytes[start + 1] = this.#at - start - headWidth - keyWidth(bytes, start);
    this.#end = start + recordWidth(bytes, start);
    this.#starts.push(start);
    this.#hashes.push(hash);
    this.#contractsAt.push(this.#contractAt);
    this.#table[slot] = this.#starts.length;
    if (2 * this.#starts.length > this.#table.length) this.#lengthenTable();
  }

  /** Whether a record's key is that which ends behind the last record. */
  #isSame(earlier: number, start: number): boolean {
    const bytes = this.#bytes;
    for (let i = this.#at - start - 1; i >= headWidth; i--) {
      if (bytes[earlier + i] !== bytes[start + i]) return false;
    }
    return bytes[earlier] === bytes[start];
  }

  /** FNV-1a. Wallets choose their addresses, but a thousand that meet here cost less than their gas. */
  #hash(from: number, to: number): number {
    const bytes = this.#bytes;
    let hash = 0x811c9dc5;
    for (let i = from + headWidth; i < to; i++) {
      hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
    }
    return hash ^ (hash >>> 15);
  }

  #lengthenTable(): void {
    const table = new Int32Array(4 * this.#table.length);
    const mask = table.length - 1;
    for (let i = 0; i < this.#hashes.length; i++) {
      let slot = (this.#hashes[i] as number) & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = i + 1;
    }
    this.#table = table;
  }
}
