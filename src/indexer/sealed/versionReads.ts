/** What nearly all answers at one version of a store read: once. */
import { bytesToText } from '../../bytes.js';
import type { Entry, StoreReader } from '../../tree/index.js';
import type { KeyBounds } from '../layout/layout.js';
import { type Head, readHead } from './head.js';
import { entriesWithin, groupsAround, readGroups } from './sums.js';

/** Entries and groups of them that are held at most, before all are dropped. */
const mostHeld = 16_384;

export class VersionReads {
  /** Of the store; undefined if it names none, and what is held is of one moment. */
  readonly version: number | undefined;
  #head: Head | undefined;
  readonly #groups = new Map<string, readonly Entry[]>();
  #held = 0;

  constructor(version: number | undefined) {
    this.version = version;
  }

  /** @throws IndexError `DAMAGED` */
  async head(reader: StoreReader): Promise<Head> {
    this.#head ??= await readHead(reader);
    return this.#head;
  }

  /** As `readCounted` has it. @param reader of this version */
  async counted(reader: StoreReader, bounds: KeyBounds): Promise<Entry[]> {
    const groups = groupsAround(bounds);
    const { from, to } = groups;
    const name = `${from.length} ${bytesToText(from)}${bytesToText(to)}`;
    let entries = this.#groups.get(name);
    if (entries === undefined) {
      entries = await readGroups(reader, groups);
      this.#hold(name, entries);
    }
    return entriesWithin(entries, bounds);
  }

  #hold(name: string, entries: readonly Entry[]): void {
    const size = 1 + entries.length;
    if (size > mostHeld) return;
    if (this.#held + size > mostHeld) {
      this.#groups.clear();
      this.#held = 0;
    }
    this.#groups.set(name, entries);
    this.#held += size;
  }
}
