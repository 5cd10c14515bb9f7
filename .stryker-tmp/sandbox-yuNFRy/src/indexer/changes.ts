/**
 * What blocks change in an index: entries by key, the last word on each. A long run of blocks changes tens of thousands of
 * them, so keys lie in one piece of memory with a hash table beside it: objects and texts would cost several times as much.
 *
 * Contracts have the numbers of this list until the index has given them its own.
 */
// @ts-nocheck

import { compareBytes } from '../bytes.js';
import type { Entry } from '../tree/index.js';
import { contractWidth, type KeyKind, kinds, writeNumber } from './layout.js';

/** Longest key of a store. */
const maxKey = 64;

const none = -1;

/** Bits of an index in {@link sortRun}: more keys than that no batch has. */
const indexBits = 21;
const size = 2 ** indexBits;

/** Bytes that a number holds beside an index. */
const headWidth = 4;

/** Keys that are compared one by one: sorting a few numbers takes longer. */
const fewKeys = 8;

/** How far all keys of a run are the same. */
function commonWidth(keys: readonly Uint8Array[], run: Int32Array, known: number): number {
  const first = keys[run[0] as number] as Uint8Array;
  let common = first.length;
  for (let i = 1; i < run.length && common > known; i++) {
    const key = keys[run[i] as number] as Uint8Array;
    let at = known;
    while (at < common && key[at] === first[at]) at++;
    common = at;
  }
  return common;
}

function sortFew(keys: readonly Uint8Array[], run: Int32Array): void {
  for (let i = 1; i < run.length; i++) {
    const index = run[i] as number;
    const key = keys[index] as Uint8Array;
    let at = i;
    for (; at > 0; at--) {
      const before = run[at - 1] as number;
      if (compareBytes(keys[before] as Uint8Array, key) <= 0) break;
      run[at] = before;
    }
    run[at] = index;
  }
}

/**
 * Sorts indices of keys by the keys, none of which is there twice. A number holds the first bytes in which they differ and
 * a key's index, and numbers are sorted without a function of ours; those with the same bytes are sorted by what follows.
 *
 * @param known bytes that are the same in all keys. Keys that share some are of one kind, so of one width
 */
function sortRun(keys: readonly Uint8Array[], run: Int32Array, known: number): void {
  if (run.length <= fewKeys) {
    sortFew(keys, run);
    return;
  }
  const start = commonWidth(keys, run, known);
  const heads = new Float64Array(run.length);
  // Loops: in arrays of this length, iterators and callbacks take several times as long.
  for (let i = 0; i < run.length; i++) {
    const index = run[i] as number;
    const key = keys[index] as Uint8Array;
    let head = 0;
    for (let at = start; at < start + headWidth; at++) {
      head = (head << 8) | (at < key.length ? (key[at] as number) : 0);
    }
    heads[i] = (head >>> 0) * size + index;
  }
  heads.sort();
  for (let i = 0; i < run.length; i++) run[i] = (heads[i] as number) % size;
  const headAt = (at: number) => Math.floor((heads[at] as number) / size);
  for (let from = 0, to = 1; from < run.length; from = to++) {
    const head = headAt(from);
    while (to < run.length && headAt(to) === head) to++;
    if (to - from > 1) sortRun(keys, run.subarray(from, to), start + headWidth);
  }
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
    const order = Int32Array.from(keys.keys());
    sortRun(keys, order, 0);
    for (let at = 0; at < order.length; at++) {
      const i = order[at] as number;
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
