/**
 * The entries in the log, by key. They lie over those that stand in their places: of two entries
 * with one key, the log's counts.
 */
import type { Transaction } from 'lmdb';
import { bytesToText, joinBytes } from '../bytes.js';
import { type Entry, type Range, TreeError } from '../tree/index.js';
import { firstIndex, textToBytes } from '../tree/store/sortedMap.js';
import type { ByteMap, Files } from './files.js';
import { chunkKey, decodeHead, headKey, type LogHead, recordsIn } from './log.js';

/** The log's value of a key, from a batch on. */
interface Version {
  /** End of the log with that batch. */
  readonly end: number;
  /** Undefined: the log counts no more. */
  readonly value: Uint8Array | undefined;
  readonly earlier: Version | undefined;
}

/**
 * A log as it grows, up to the moment at which its entries reach their places. What it said before
 * a batch can still be asked for: snapshots do.
 */
class Growth {
  readonly first: number;
  #end: number;
  readonly #newest = new Map<string, Version>();
  /** Keys that were ever named, sorted; apart from those that came since that was last needed. */
  #keys: string[] = [];
  #more: string[] = [];

  constructor(first: number) {
    this.first = first;
    this.#end = first;
  }

  /** Chunks that it knows end here. */
  get end(): number {
    return this.#end;
  }

  /** Takes up the chunks that come next. @throws TreeError `DAMAGED` */
  add(end: number, chunks: Uint8Array): void {
    for (const { key, value } of recordsIn(chunks)) {
      const text = bytesToText(key);
      const earlier = this.#newest.get(text);
      if (earlier === undefined) this.#more.push(text);
      this.#newest.set(text, { end, value, earlier });
    }
    this.#end = end;
  }

  /** The value of a key as of an end. */
  get(key: Uint8Array, end: number): Uint8Array | undefined {
    return this.#valueOf(bytesToText(key), end);
  }

  #valueOf(text: string, end: number): Uint8Array | undefined {
    let version = this.#newest.get(text);
    while (version && version.end > end) version = version.earlier;
    return version?.value;
  }

  /** The entries of a range as of an end. */
  range({ from, to, limit, reverse }: Range, end: number): Entry[] {
    const keys = this.#sorted();
    const low = firstIndex(keys, bytesToText(from));
    const high = to ? firstIndex(keys, bytesToText(to)) : keys.length;
    const found: Entry[] = [];
    for (let i = low; i < high && found.length < limit; i++) {
      const text = keys[reverse ? low + high - 1 - i : i] as string;
      const value = this.#valueOf(text, end);
      if (value) found.push({ key: textToBytes(text), value });
    }
    return found;
  }

  #sorted(): readonly string[] {
    if (this.#more.length > 0) {
      this.#keys = joined(this.#keys, this.#more.sort());
      this.#more = [];
    }
    return this.#keys;
  }
}

/** Two sorted lists as one. Few keys come to many: to look for their places takes few compares. */
function joined(many: readonly string[], few: readonly string[]): string[] {
  const all: string[] = [];
  let i = 0;
  for (const key of few) {
    for (const place = firstIndex(many, key); i < place; i++) all.push(many[i] as string);
    all.push(key);
  }
  for (; i < many.length; i++) all.push(many[i] as string);
  return all;
}

/** The content of the log at one moment. It stays as it is. */
export class LogOverlay {
  readonly head: LogHead;
  readonly #growth: Growth;

  constructor(head: LogHead, growth: Growth) {
    this.head = head;
    this.#growth = growth;
  }

  /** The value of a key, which may not be changed; undefined if the log does not count. */
  get(key: Uint8Array): Uint8Array | undefined {
    const { first, end } = this.head;
    return first === end ? undefined : this.#growth.get(key, end);
  }

  /** The entries of a range. Their values may not be changed. */
  range(range: Range): Entry[] {
    const { first, end } = this.head;
    return first === end ? [] : this.#growth.range(range, end);
  }

  /** All entries, in the order of their keys. */
  all(): Entry[] {
    const limit = Number.MAX_SAFE_INTEGER;
    return this.range({ from: new Uint8Array(0), to: undefined, limit, reverse: false });
  }
}

/** A transaction that was opened to read, and the content of the log in it. */
export interface Opened {
  readonly transaction: Transaction;
  /** Number of the last commit that it sees. */
  readonly version: number;
  readonly overlay: LogOverlay;
}

/** Reads a log as it grows. */
export class LogSnapshots {
  readonly #files: Files;
  #growth = new Growth(0);
  #overlay = new LogOverlay({ first: 0, end: 0 }, this.#growth);
  /** The version at which the log said so. */
  #version: number | undefined;

  constructor(files: Files) {
    this.#files = files;
  }

  /** Opens a transaction of this process's newest reads. @throws TreeError `DAMAGED`, and any error of LMDB */
  open(): Opened {
    const { entries, versionIn } = this.#files;
    const log = this.#files.log();
    const transaction = entries.useReadTransaction();
    try {
      const version = versionIn(transaction);
      const isKnown = version === this.#version;
      if (!isKnown && log) this.#overlay = this.#read(log, transaction);
      this.#version = version;
      return { transaction, version, overlay: this.#overlay };
    } catch (cause) {
      transaction.done();
      throw cause;
    }
  }

  #read(log: ByteMap, transaction: Transaction): LogOverlay {
    const head = decodeHead(log.get(headKey, { transaction }));
    const { first, end } = head;
    const known = this.#growth;
    const isGrown = known.first === first && known.end <= end;
    const growth = isGrown ? known : new Growth(first);
    // One that is new is read from the very beginning: there must be no chunk that its head leaves out.
    const start = chunkKey(isGrown ? known.end : 0);
    const entries = log.getRange({ transaction, start, end: headKey });
    const chunks = Array.from(entries, ({ value }) => value);
    if (chunks.length !== end - growth.end) {
      throw new TreeError('DAMAGED', 'the store has lost a part of its log');
    }
    if (chunks.length > 0) growth.add(end, joinBytes(chunks));
    this.#growth = growth;
    return new LogOverlay(head, growth);
  }
}
