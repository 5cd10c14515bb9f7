/** How a state tree comes to its store: reads at one moment, writes one after the other, and the end of both. */

import type { FinishedBlock } from '../layout/blockBatch.js';
import { checkTrust } from '../layout/format.js';
import { LookReader } from '../layout/lookReader.js';
import { TreeError, type TreeErrorCode } from '../store/errors.js';
import { chain, finallyDo, type MaybePromise } from '../store/maybePromise.js';
import { PendingBatches } from '../store/pending.js';
import { ReadBudget } from '../store/readBudget.js';
import { perform, type Reading, readAll } from '../store/reading.js';
import { memoryScratch, type Scratch } from '../store/scratch.js';
import type { Batch, Look, Store, StoreReader, StoreSnapshot } from '../store/store.js';
import { withDiff } from './diffs.js';
import { loadDiffsSince } from './stateAt.js';
import { StoreCache, type VersionCache } from './storeCache.js';

/** Carries out a reading. */
export type RunReading = <T>(reading: Reading<T>) => MaybePromise<T>;

/** The result of a write's work; no batch if nothing is to be written. */
export interface Written {
  readonly batch: Batch | null;
  /** The block that the batch applies, if it does. */
  readonly applied?: FinishedBlock;
}

/** Does one piece of the work of a write that has several. */
export type WriteStep = <T extends Written>(
  work: (read: RunReading) => MaybePromise<T>,
) => Promise<T>;

/** Makes a reading, given the cache of the store's version that is read. */
type CachedReading<T> = (cache: VersionCache) => Reading<T>;

/** A reading, its cache and its budget. */
interface Work<T> {
  readonly cache: VersionCache;
  readonly reading: CachedReading<T>;
  readonly budget: ReadBudget | undefined;
}

/** Looks that are tried: the first one may be of a version that was written over since. */
const maxLooks = 2;

/** Errors of the store itself, which no other writer explains; another call would fail as well. */
const codesOfStore: readonly TreeErrorCode[] = [
  'OTHER_WRITER',
  'READ_ONLY',
  'STORE_FULL',
  'STORE_FAILED',
];

const isOfStore = (cause: unknown): boolean =>
  cause instanceof TreeError && codesOfStore.includes(cause.code);

/** All trees on a store share its cache, and take turns to write. */
const cacheOf = new WeakMap<Store, StoreCache>();

/**
 * A store that is shared by all calls of a tree, and by all trees that were opened on it. A state
 * that is marked as wrong is neither read nor written.
 */
export class StoreAccess {
  readonly #store: Store;
  readonly #cache: StoreCache;
  /** How many reads and releases are under way. */
  #reading = 0;
  /** Called when none is left. */
  #whenIdle: () => void = () => {};
  /** The reading of diffs that is under way. */
  #loading: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(store: Store) {
    this.#store = store;
    this.#cache = cacheOf.get(store) ?? new StoreCache();
    cacheOf.set(store, this.#cache);
  }

  /**
   * Reads from the store as it is at this moment, whatever is written meanwhile.
   *
   * @param reading is given the cache of the store's present version
   * @param block the older block that it asks for. In a store at hand, all that ask at once wait for one reading of the
   *   diffs since: after a start, dozens of requests would each read the same, and hold it for seconds
   * @throws TreeError `CLOSED`, `DISTRUSTED`
   */
  read<T>(reading: CachedReading<T>, budget?: ReadBudget, block?: number): MaybePromise<T> {
    this.#checkOpen();
    this.#reading++;
    const isReady =
      block === undefined || this.#store.isLocal !== true || this.#cache.hasDiffs(block);
    const read = () => this.#read(reading, budget);
    return finallyDo(
      () => (isReady ? read() : this.#loadDiffs(block).then(read)),
      () => this.#endRead(),
    );
  }

  /** Reads the diffs since a block. If that fails, the callers that need them find out why. */
  #loadDiffs(block: number): Promise<void> {
    const over = () => {
      this.#loading = undefined;
    };
    const work = async () => this.#read((cache) => loadDiffsSince(cache, block), new ReadBudget());
    this.#loading ??= work().then(over, over);
    return this.#loading;
  }

  #read<T>(reading: CachedReading<T>, budget: ReadBudget | undefined): MaybePromise<T> {
    return this.#store.look
      ? this.#readInLook(reading, budget)
      : this.#readInSnapshot(reading, budget);
  }

  /** Reads in a look; in another one, if that is over too soon; and at last in a snapshot. */
  async #readInLook<T>(reading: CachedReading<T>, budget: ReadBudget | undefined): Promise<T> {
    for (let tries = 0; tries < maxLooks; tries++) {
      const look = new LookReader(this.#store.look?.() as Look);
      try {
        const cache = this.#cache.of(look.version);
        const result = await this.#readWith(look, { cache, reading, budget });
        await look.confirm();
        return result;
      } catch (cause) {
        if (!look.isOver) throw cause;
      }
    }
    return this.#readInSnapshot(reading, budget);
  }

  #readInSnapshot<T>(reading: CachedReading<T>, budget: ReadBudget | undefined): MaybePromise<T> {
    return chain(this.#store.snapshot(), (snapshot) => {
      const cache = this.#cache.of(snapshot.version);
      return finallyDo(
        () => this.#readWith(snapshot, { cache, reading, budget }),
        () => this.#release(snapshot),
      );
    });
  }

  /** Carries out a reading, at first of whether the state is trusted. */
  #readWith<T>(reader: StoreReader, { cache, reading, budget }: Work<T>): MaybePromise<T> {
    if (cache.has('trust')) return perform(reader, reading(cache), budget);
    const trusted = readAll([cache.keep('trust', checkTrust), reading(cache)]);
    return chain(perform(reader, trusted, budget), ([, result]) => result);
  }

  /**
   * Works out a batch from the store's entries once all earlier writes are done, and writes it.
   * The store itself is read: nobody else writes to it, or the batch would be refused.
   *
   * @throws TreeError `CLOSED`, `DISTRUSTED`
   */
  write<T extends Written>(work: (read: RunReading) => MaybePromise<T>): Promise<T> {
    return this.#inTurn(async () => {
      const written = await this.#asWriter(() => work(this.#readsOfWrite()));
      if (written.batch !== null) await this.#store.write(written.batch);
      if (written.applied) this.#note(written.applied);
      return written;
    });
  }

  /**
   * Works out several batches, each from the store's entries and the batches before it, and writes them as one.
   *
   * @param work gives `step` one piece of work after the other; if it fails, nothing is written
   * @throws TreeError `CLOSED`, `DISTRUSTED`, and what the work throws
   */
  writeTogether<T>(work: (step: WriteStep) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      const pending = new PendingBatches();
      const applied: FinishedBlock[] = [];
      const runOnStore = this.#readsOfWrite();
      const read: RunReading = (reading) => runOnStore(pending.over(reading));
      const result = await this.#asWriter(() =>
        work(async (one) => {
          const written = await one(read);
          if (written.batch !== null) pending.add(written.batch);
          if (written.applied) applied.push(written.applied);
          return written;
        }),
      );
      const batch = pending.toBatch();
      if (batch.puts.length + batch.deletes.length > 0) await this.#store.write(batch);
      for (const block of applied) this.#note(block);
      return result;
    });
  }

  /** Notes a block that was written. */
  #note(applied: FinishedBlock): void {
    this.#cache.noteDiffs((earlier) => withDiff(earlier, applied));
  }

  /**
   * Runs work on the store itself after all earlier writes; later ones wait for it.
   *
   * @throws TreeError `CLOSED`, `DISTRUSTED`
   */
  alone<T>(work: (store: Store) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      await perform(this.#store, checkTrust());
      return this.#asWriter(() => work(this.#store));
    });
  }

  /** Room for temporary files of a load. */
  async scratch(): Promise<Scratch> {
    this.#checkOpen();
    return (await this.#store.scratch?.()) ?? memoryScratch();
  }

  /** Does work once all earlier writes are done, also those of other trees on the store. @throws TreeError `CLOSED` */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#checkOpen();
    const done = this.#cache.writing.then(work);
    this.#cache.writing = done.catch(() => {});
    return done;
  }

  /** Waits for what is under way, and closes the store. */
  close(): Promise<void> {
    this.#closing ??= this.#closeStore();
    return this.#closing;
  }

  /**
   * Does the work that leads to a write. A writer that another one has followed reads that one's
   * entries: an error of its work then says nothing about the caller's request.
   *
   * @throws TreeError `OTHER_WRITER`, and any error of the work
   */
  async #asWriter<T>(work: () => MaybePromise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (!isOfStore(cause)) await this.#checkWriter();
      throw cause;
    }
  }

  /** Asks the store by a batch that changes nothing. @throws TreeError `OTHER_WRITER` */
  async #checkWriter(): Promise<void> {
    try {
      await this.#store.write({ puts: [], deletes: [] });
    } catch (error) {
      if (error instanceof TreeError && error.code === 'OTHER_WRITER') throw error;
    }
  }

  /** Reads of the store itself, the first of which also looks whether the state is trusted. */
  #readsOfWrite(): RunReading {
    let isTrusted = false;
    return (reading) => {
      if (isTrusted) return perform(this.#store, reading);
      return chain(perform(this.#store, readAll([checkTrust(), reading])), ([, result]) => {
        isTrusted = true;
        return result;
      });
    };
  }

  #release(snapshot: StoreSnapshot): void {
    const released = snapshot.release();
    if (!released) return;
    this.#reading++;
    const end = () => this.#endRead();
    // The answer is there: it need not wait, and nobody is told if the release fails.
    released.then(end, end);
  }

  #endRead(): void {
    this.#reading--;
    if (this.#reading === 0) this.#whenIdle();
  }

  async #closeStore(): Promise<void> {
    await this.#cache.writing;
    if (this.#reading > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
    await this.#store.close();
  }

  #checkOpen(): void {
    if (this.#closing) throw new TreeError('CLOSED', 'the state tree is closed');
  }
}
