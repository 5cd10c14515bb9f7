/**
 * What blocks change in an index: entries by key, the last word on each. A long run of blocks changes tens of thousands of
 * them, so keys lie in one piece of memory with a hash table beside it: objects and texts would cost several times as much.
 *
 * Contracts have the numbers of this list until the index has given them its own.
 */
import { compareBytes } from '../bytes.js';
import type { Entry } from '../tree/index.js';
import { contractWidth, type KeyKind, kinds, writeNumber } from './layout.js';

/** Longest key of a store. */
const maxKey = 64;

const none = -1;

/** Bits of an index in {@link sortedOrder}: more keys than that no batch has. */
const indexBits = 21;

/**
 * Indices of keys in the order of the keys. A number holds the first four bytes of a key and its index, and numbers are
 * sorted without a function of ours; only keys of one wallet have to be compared beyond that.
 */
function sortedOrder(keys: readonly Uint8Array[]): number[] {
  const size = 2 ** indexBits;
  const heads = new Float64Array(keys.length);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as Uint8Array;
    // All keys have more bytes.
    let head = 0;
    for (let at = 0; at < 4; at++) head = head * 256 + (key[at] as number);
    heads[i] = head * size + i;
  }
  heads.sort();
  const order = Array.from(heads, (head) => head % size);
  const headAt = (at: number) => Math.floor((heads[at] as number) / size);
  for (let from = 0, to = 1; from < order.length; from = to++) {
    while (to < order.length && headAt(to) === headAt(from)) to++;
    if (to - from === 1) continue;
    // Of one kind, so of one width.
    const run = order.slice(from, to);
    run.sort((a, b) => compareBytes(keys[a] as Uint8Array, keys[b] as Uint8Array));
    for (const [i, index] of run.entries()) order[from + i] = index;
  }
  return order;
}

export class Changes {
  /** Keys, one behind the other. Behind the last one lies the key that is being put together. */
  #bytes = new Uint8Array(4096);
  readonly #ends: number[] = [];
  /** Where in a key its contract's number stands; `none` in a key without one. */
  readonly #contractsAt: number[] = [];
  /** Null for a key that is deleted. */
  readonly #values: (Uint8Array | null)[] = [];
  readonly #hashes: number[] = [];
  /** Indices of keys, plus one, by their hash; 0 is free. */
  #table = new Int32Array(256);
  readonly #contracts = new Map<string, number>();
  #at = 0;
  /** Where the last key ends. */
  #end = 0;
  #contractAt = none;

  /** Entries. */
  get size(): number {
    return this.#ends.length;
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

  /** Begins a key. `put` or `delete` ends it. */
  key(kind: KeyKind): this {
    this.#at = this.#end;
    this.#contractAt = none;
    if (this.#at + maxKey > this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#bytes.length);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[this.#at++] = kinds[kind];
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

  put(value: Uint8Array): void {
    this.#close(value);
  }

  delete(): void {
    this.#close(null);
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

  /** Keys, in the order of their first word. */
  keys(): Uint8Array[] {
    const keys: Uint8Array[] = [];
    let from = 0;
    for (const end of this.#ends) {
      keys.push(this.#bytes.subarray(from, end));
      from = end;
    }
    return keys;
  }

  /** The batch, in the order of its keys: a store that sorts them by itself takes longer. */
  toBatch(): { puts: Entry[]; deletes: Uint8Array[] } {
    const puts: Entry[] = [];
    const deletes: Uint8Array[] = [];
    const keys = this.keys();
    for (const i of sortedOrder(keys)) {
      const key = keys[i] as Uint8Array;
      const value = this.#values[i] as Uint8Array | null;
      if (value === null) deletes.push(key);
      else puts.push({ key, value });
    }
    return { puts, deletes };
  }

  #close(value: Uint8Array | null): void {
    const from = this.#end;
    const hash = this.#hash(from, this.#at);
    const mask = this.#table.length - 1;
    let slot = hash & mask;
    for (let found: number; ; slot = (slot + 1) & mask) {
      found = this.#table[slot] as number;
      if (found === 0) break;
      if (this.#hashes[found - 1] !== hash || !this.#isSame(found - 1, from)) continue;
      this.#values[found - 1] = value;
      return;
    }
    this.#ends.push(this.#at);
    this.#end = this.#at;
    this.#hashes.push(hash);
    this.#contractsAt.push(this.#contractAt);
    this.#values.push(value);
    this.#table[slot] = this.#ends.length;
    if (2 * this.#ends.length > this.#table.length) this.#lengthenTable();
  }

  #isSame(index: number, from: number): boolean {
    const start = this.#ends[index - 1] ?? 0;
    if ((this.#ends[index] as number) - start !== this.#at - from) return false;
    const bytes = this.#bytes;
    for (let i = this.#at - from - 1; i >= 0; i--) {
      if (bytes[start + i] !== bytes[from + i]) return false;
    }
    return true;
  }

  /** FNV-1a. Wallets choose their addresses, but a thousand that meet here cost less than their gas. */
  #hash(from: number, to: number): number {
    const bytes = this.#bytes;
    let hash = 0x811c9dc5;
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
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
