/** What to write for a block that follows the newest one. */
import { compareBytes, concatBytes, equalBytes } from '../bytes.js';
import { blockWidth } from '../hash/family.js';
import { indexKeys } from './hashIndex.js';
import { blockKey, droppedKey, encodeNumber, stamp, unstamp } from './layout.js';
import { Slab } from './slab.js';
import { type Changed, nothing, stepEntries } from './stepTable.js';
import type { Batch, Entry } from './store.js';

/** What is kept of a block besides the state that it leaves. */
export interface BlockWords {
  /** 32 bytes, if the caller gave it. */
  readonly hash: Uint8Array | undefined;
  /** 32 bytes, if the caller gave it. */
  readonly headerRoot: Uint8Array | undefined;
}

/** What a block comes to. */
export interface DraftedBlock {
  readonly number: number;
  readonly batch: Batch;
  /** The value of its `block` entry. */
  readonly summary: Uint8Array;
  /** The entries of its step, which are in the batch, too; undefined if no block is held before. */
  readonly step: readonly Entry[] | undefined;
}

/** A batch that is put together entry by entry: a large block has no room for its entries twice. */
export class BlockDraft {
  readonly #number: number;
  readonly #hasEarlier: boolean;
  readonly #puts: Entry[] = [];
  readonly #deletes: Uint8Array[] = [];
  readonly #changed: Changed[] = [];
  readonly #slab = new Slab();

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
    this.#changed.push({ key: droppedKey(tree), old: nothing });
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
    if (value !== null) this.#puts.push({ key, value: stamp(this.#number, value, this.#slab) });
    else this.#deletes.push(key);
    if (this.#hasEarlier) this.#changed.push({ key, old: old ?? nothing });
  }

  /** @param stateRoot after the block, 32 bytes */
  finish(stateRoot: Uint8Array, { hash, headerRoot }: BlockWords): DraftedBlock {
    const number = this.#number;
    const hashWord = hash ?? (headerRoot ? new Uint8Array(blockWidth) : nothing);
    const summary = concatBytes(stateRoot, hashWord, headerRoot ?? nothing);
    const puts = this.#puts;
    puts.push({ key: blockKey(number), value: summary });
    for (const key of indexKeys(summary)) puts.push({ key, value: encodeNumber(number) });
    const changed = this.#changed.sort((a, b) => compareBytes(a.key, b.key));
    const step = this.#hasEarlier ? stepEntries(number, changed) : undefined;
    for (const entry of step ?? []) puts.push(entry);
    return { number, batch: { puts, deletes: this.#deletes }, summary, step };
  }
}
