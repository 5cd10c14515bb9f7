/** The entries to write for a block that follows the newest one. */
import { Arena, bytesToText, concatBytes } from '../../bytes.js';
import { blockWidth } from '../../hash/family.js';
import { compareKeys } from '../store/keys.js';
import type { Batch, Entry } from '../store/store.js';
import { type Changed, diffEntries, emptyBytes } from './diffTable.js';
import { indexKeys } from './hashIndex.js';
import { blockKey, droppedKey, encodeNumber, isStamped, stamp } from './layout.js';

/** The words that the store keeps of a block besides its state. */
export interface BlockWords {
  /** 32 bytes, if the caller gave it. */
  readonly hash: Uint8Array | undefined;
  /** 32 bytes, if the caller gave it. */
  readonly headerRoot: Uint8Array | undefined;
}

/** The finished batch of a block. */
export interface FinishedBlock {
  readonly number: number;
  readonly batch: Batch;
  /** The value of its `block` entry. */
  readonly summary: Uint8Array;
  /** The entries of its diff, also part of the batch; undefined if no earlier block is held. */
  readonly diff: readonly Entry[] | undefined;
}

/** What stood before some blocks in a row that are not held: the block behind them overwrites it in their place. */
export class PassedBlocks {
  readonly #rows = new Map<string, Changed>();

  /** Whether one of the blocks changed an entry. */
  has(key: Uint8Array): boolean {
    return this.#rows.size > 0 && this.#rows.has(bytesToText(key));
  }

  /** Adds a block. @param rows of keys that none before it changed */
  add(rows: readonly Changed[]): void {
    for (const row of rows) this.#rows.set(bytesToText(row.key), row);
  }

  /** All rows; there are none afterwards. */
  take(): Changed[] {
    const rows = [...this.#rows.values()];
    this.#rows.clear();
    return rows;
  }
}

/** A batch that grows entry by entry, because a large block does not fit memory twice. */
export class BlockBatch {
  readonly #number: number;
  readonly #hasEarlier: boolean;
  readonly #puts: Entry[] = [];
  readonly #deletes: Uint8Array[] = [];
  readonly #changed: Changed[] = [];
  readonly #passed: PassedBlocks;
  readonly #arena = new Arena();

  /**
   * @param options.hasEarlier whether an earlier block is held; the batch then keeps what the block overwrites
   * @param options.passed blocks before it that are not held
   */
  constructor({
    number,
    hasEarlier,
    passed = new PassedBlocks(),
  }: {
    number: number;
    hasEarlier: boolean;
    passed?: PassedBlocks | undefined;
  }) {
    this.#number = number;
    this.#hasEarlier = hasEarlier;
    this.#passed = passed;
  }

  /** Notes a tree whose account the block destroys. Its entries stay as long as a held block can see them. */
  drop(tree: number): void {
    this.#changed.push({ key: droppedKey(tree), old: emptyBytes });
  }

  /**
   * Changes an entry of the state.
   *
   * @param change.old the value before, with its stamp; undefined if there is none
   * @param change.value null deletes the entry
   */
  change(
    key: Uint8Array,
    { old, value }: { old: Uint8Array | undefined; value: Uint8Array | null },
  ): void {
    if (old && value && isStamped(old, value)) return;
    if (value !== null) this.#puts.push({ key, value: stamp(this.#number, value, this.#arena) });
    else this.#deletes.push(key);
    if (this.#hasEarlier && !this.#passed.has(key)) {
      this.#changed.push({ key, old: old ?? emptyBytes });
    }
  }

  /** Ends a block that is not held. @returns its changes of the state alone */
  pass(): Batch {
    this.#passed.add(this.#changed);
    return { puts: this.#puts, deletes: this.#deletes };
  }

  /** @param stateRoot after the block, 32 bytes */
  finish(stateRoot: Uint8Array, { hash, headerRoot }: BlockWords): FinishedBlock {
    const number = this.#number;
    const hashWord = hash ?? (headerRoot ? new Uint8Array(blockWidth) : emptyBytes);
    const summary = concatBytes(stateRoot, hashWord, headerRoot ?? emptyBytes);
    const puts = this.#puts;
    puts.push({ key: blockKey(number), value: summary });
    for (const key of indexKeys(summary)) puts.push({ key, value: encodeNumber(number) });
    const changed = [...this.#passed.take(), ...this.#changed];
    changed.sort((a, b) => compareKeys(a.key, b.key));
    const diff = this.#hasEarlier ? diffEntries(number, changed) : undefined;
    for (const entry of diff ?? []) puts.push(entry);
    return { number, batch: { puts, deletes: this.#deletes }, summary, diff };
  }
}
