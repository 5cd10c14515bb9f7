/** What to write for a block that follows the newest one. */
// @ts-nocheck

import { concatBytes, equalBytes } from '../bytes.js';
import { blockWidth } from '../hash/family.js';
import { indexKeys } from './hashIndex.js';
import { encodeKeys, nothing } from './history.js';
import {
  blockKey,
  droppedKey,
  encodeNumber,
  historyKey,
  stamp,
  undoKey,
  unstamp,
} from './layout.js';
import type { Batch, Entry } from './store.js';

/** What is kept of a block besides the state that it leaves. */
export interface BlockWords {
  /** 32 bytes, if the caller gave it. */
  readonly hash: Uint8Array | undefined;
  /** 32 bytes, if the caller gave it. */
  readonly headerRoot: Uint8Array | undefined;
}

/** A batch that is put together entry by entry: a large block has no room for its entries twice. */
export class BlockDraft {
  readonly #number: number;
  readonly #hasEarlier: boolean;
  readonly #puts: Entry[] = [];
  readonly #deletes: Uint8Array[] = [];
  readonly #undo: Uint8Array[] = [];

  /**
   * @param options.hasEarlier whether a block is held before it: what it overwrites is kept then
   */
  constructor({ number, hasEarlier }: { number: number; hasEarlier: boolean }) {
    this.#number = number;
    this.#hasEarlier = hasEarlier;
  }

  /**
   * Names a tree whose account the block destroys. Its entries stay until no block held can see
   * them.
   */
  drop(tree: number): void {
    this.#undo.push(droppedKey(tree));
  }

  /**
   * Changes an entry of the state.
   *
   * @param change.old what the store holds, behind its stamp; undefined if nothing
   * @param change.value null: the entry goes
   */
  change(
    key: Uint8Array,
    { old, value }: { old: Uint8Array | undefined; value: Uint8Array | null },
  ): void {
    if (old && value && equalBytes(unstamp(old), value)) return;
    if (value !== null) this.#puts.push({ key, value: stamp(this.#number, value) });
    else this.#deletes.push(key);
    if (!this.#hasEarlier) return;
    const past = historyKey(key, this.#number);
    this.#puts.push({ key: past, value: old ?? nothing });
    this.#undo.push(past);
  }

  /** @param stateRoot after the block, 32 bytes */
  toBatch(stateRoot: Uint8Array, { hash, headerRoot }: BlockWords): Batch {
    const hashWord = hash ?? (headerRoot ? new Uint8Array(blockWidth) : nothing);
    const summary = concatBytes(stateRoot, hashWord, headerRoot ?? nothing);
    const puts = this.#puts;
    puts.push({ key: blockKey(this.#number), value: summary });
    for (const key of indexKeys(summary)) puts.push({ key, value: encodeNumber(this.#number) });
    if (this.#hasEarlier) {
      puts.push({ key: undoKey(this.#number), value: encodeKeys(this.#undo) });
    }
    return { puts, deletes: this.#deletes };
  }
}
