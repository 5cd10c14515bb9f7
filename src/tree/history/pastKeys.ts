/** The keys of a tree's leaves that came or went since an older block, in order. */

import type { Section } from '../layout/diffTable.js';
import { orderKind } from '../layout/layout.js';
import type { Bounds } from '../store/scan.js';
import type { BlockDiff } from './diffRuns.js';

/** The next row of a search in one table. */
interface Head {
  readonly section: Section;
  /** Row that comes next. */
  index: number;
  /** How many rows are left. */
  left: number;
  key: Uint8Array;
}

/** A key that came or went. */
interface PastKey {
  readonly key: Uint8Array;
  /** The entry's value after the older block, behind its stamp; no bytes if there was no entry. */
  readonly old: Uint8Array;
}

/** Goes through the `order` keys that diffs name, from either end; each comes once. */
export class PastKeys {
  /** By ascending block: of several diffs that name a key, the first has the old value. */
  readonly #heads: Head[] = [];
  readonly #reverse: boolean;

  /** @param diffs those after the block, ascending */
  constructor(
    diffs: readonly BlockDiff[],
    { from, to }: Bounds,
    { reverse }: { reverse: boolean },
  ) {
    this.#reverse = reverse;
    for (const { tables } of diffs) {
      for (const table of tables) {
        const section = table.section(orderKind);
        if (section === undefined) continue;
        const low = section.indexOf(from);
        const left = (to === undefined ? section.count : section.indexOf(to)) - low;
        if (left <= 0) continue;
        const index = reverse ? low + left - 1 : low;
        this.#heads.push({ section, index, left, key: section.keyAt(index) });
      }
    }
  }

  /** The next key; undefined after the last one. */
  next(): PastKey | undefined {
    let first: Head | undefined;
    for (const head of this.#heads) {
      if (head.left === 0) continue;
      const order = first ? head.section.compare(head.index, first.key) : 0;
      if (first === undefined || (this.#reverse ? order > 0 : order < 0)) first = head;
    }
    if (first === undefined) return undefined;
    const { key } = first;
    const old = first.section.oldAt(first.index);
    for (const head of this.#heads) {
      if (head.left > 0 && head.section.compare(head.index, key) === 0) this.#advance(head);
    }
    // A value as short as that of an `order` entry stands in the table itself.
    return { key, old: old as Uint8Array };
  }

  #advance(head: Head): void {
    head.left--;
    head.index += this.#reverse ? -1 : 1;
    if (head.left > 0) head.key = head.section.keyAt(head.index);
  }
}
