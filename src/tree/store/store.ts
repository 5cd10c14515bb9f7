/**
 * The contract of a store, which keeps a state tree: an ordered map from bytes to bytes with atomic batches and
 * snapshots. Any ordered key-value store, or one table of a SQL database with its key as primary key, can be one.
 * `storeLaws` checks what stands here.
 *
 * Keys have 1 to 64 bytes and sort byte by byte as unsigned numbers, a prefix before what it begins. Values have any
 * length, also 0.
 *
 * The tree asks for all that it needs next in one call, so that a store behind a network answers in one round trip.
 * However many keys they have, a proof takes a snapshot or a look and three reads, a block four reads and a write, and
 * naming it final two and a write (together six and a write). More are taken only by what is read in pages: keys that
 * came since an older block beside one that is absent, blocks that are dropped when a later one becomes final, and the
 * entries of destroyed accounts; by a look that a write of another process ends; and by the first proof at an older
 * block after one.
 */

import type { Scratch } from './scratch.js';

/** A key and its value. */
export interface Entry {
  /** 1 to 64 bytes. */
  readonly key: Uint8Array;
  /** Any length, also 0. */
  readonly value: Uint8Array;
}

/** Entries next to each other, in the order of their keys. */
export interface Range {
  /** The least key, inclusive; empty: from the first entry on. */
  readonly from: Uint8Array;
  /** The bound above, exclusive; undefined: to the last entry. Nothing lies between bounds in the wrong order. */
  readonly to: Uint8Array | undefined;
  /** Most entries of the answer, from 1. Fewer come only if the range holds no more. */
  readonly limit: number;
  /** True: from the other end, the greatest key below `to` first. */
  readonly reverse: boolean;
}

/** All that a reader needs next. Both lists may be empty, have many thousands of members, and name a key twice. */
export interface ReadRequest {
  /** Keys whose values are wanted. */
  readonly keys: readonly Uint8Array[];
  /** Ranges whose entries are wanted. */
  readonly ranges: readonly Range[];
}

/** One answer for each member of the request, in the order asked. */
export interface ReadAnswer {
  /** Undefined for a key without an entry. */
  readonly values: readonly (Uint8Array | undefined)[];
  /** The entries of each range, in the order that it asks for. */
  readonly ranges: readonly (readonly Entry[])[];
}

/** How a reader reads. */
export interface Read {
  /**
   * Answers a request.
   *
   * @param pause for stores that answer without waiting: a long call awaits it every few hundred
   *   entries, so that others have their turn. What it throws ends the call and comes out as it is.
   *   A store that waits for an answer anyway may ignore it
   */
  (request: ReadRequest, pause?: () => Promise<void>): Promise<ReadAnswer>;
  /**
   * The same at once, if the store need not wait for anything: `read.now`. The tree asks so for a
   * few hundred entries at most, and saves the turns that promises take.
   */
  readonly now?: (request: ReadRequest) => ReadAnswer;
}

/** Reads. The bytes of an answer are the caller's: changing them changes nothing in the store. */
export interface StoreReader {
  /** Answers a request; `read.now` does at once, if the store can. */
  readonly read: Read;
}

/**
 * The store as it was at one moment, whatever is written meanwhile. The moment lies between the call of `snapshot` and
 * the answer to the first read, so that a store may wait for that read before it opens a transaction.
 */
export interface StoreSnapshot extends StoreReader {
  /**
   * Names what the snapshot holds: all snapshots of an open store with one version hold the same.
   * The tree then reads once what all answers at that version need. Default: it reads it each time.
   */
  readonly version?: number | undefined;
  /**
   * Lets the store forget that moment. Called once, when no read is on its way; the snapshot is not
   * read afterwards. No answer waits for the promise, but `Store.close` is called only once it is
   * settled. If it rejects, nobody is told: the store says what is wrong at its next call.
   */
  release(): void | Promise<void>;
}

/** Reads at one moment, for as long as nothing is written. */
export interface Look {
  /**
   * Names what the store held when this process saw it last, as `StoreSnapshot.version` does. A
   * look with a version reads exactly that, or is over.
   */
  readonly version?: number | undefined;
  /**
   * Answers a request.
   *
   * @returns undefined if the store holds another version, or is not as it was at the first read: the look is over then
   */
  read(request: ReadRequest): Promise<ReadAnswer | undefined>;
}

/** Changes that take effect together. A key stands in one list, once. A key that is deleted need not be there. */
export interface Batch {
  /** Entries that are set, whatever the key held before. */
  readonly puts: readonly Entry[];
  /** Keys whose entries are deleted. */
  readonly deletes: readonly Uint8Array[];
}

/** A process that has opened a store to write. */
export interface StoreWriter {
  /** Names it to people, such as `process 12 on db1`. */
  readonly name: string;
  /** Its id on its machine; undefined if the store does not say. */
  readonly pid?: number | undefined;
  /** When it opened the store, in ms since 1970 by its own clock; undefined if the store does not say. */
  readonly since?: number | undefined;
  /** `unknown`: it runs in another container, on another machine, or ran before the last start of this one. */
  readonly state: 'running' | 'ended' | 'unknown';
}

/** The figures of a store as a whole, for operators. */
export interface StoreUsage {
  /** On disk; undefined if the store does not say. */
  readonly bytes?: number | undefined;
  /** The last that opened it to write; undefined if it has closed it. */
  readonly writer?: StoreWriter | undefined;
}

/**
 * A place that keeps a state tree, for any number of readers and one writer at a time. What it throws comes out of the
 * tree as it is; the stores of this library throw TreeErrors.
 *
 * Fencing: two trees that write in turns would each undo what the other has written. A batch is worked out from what
 * the writer's tree has read, so it may take effect only while no other writer has come since the store was opened.
 * Opening a store to write therefore takes the place of the writer before it, unless that one is known to run: then
 * opening fails with TreeError `OTHER_WRITER`. Once its place is taken, each `write` of the earlier writer fails with
 * `OTHER_WRITER` and changes nothing. A number is enough for this: it is kept beside the entries, counted up when the
 * store is opened to write, and compared in the transaction that writes a batch. Only a store that nobody else can
 * open, such as one in memory, needs none.
 */
export interface Store extends StoreReader {
  /**
   * True: a call costs no more than what it reads, as in memory or on a disk of the same machine.
   * The tree then makes more calls, which depend on one another and ask for less. Default: a call
   * is a round trip, and asks for all that may be needed.
   */
  readonly isLocal?: boolean;
  /**
   * Resolves, with TreeError `OTHER_WRITER`, once this writer has lost the store to another one, or
   * may have: nothing that it writes takes effect any more. Default: the next write tells.
   */
  readonly lost?: Promise<Error>;
  /**
   * All of a batch takes effect or, whatever fails, nothing. Resolves once it would survive the end of the process, as
   * far as this store can; every read that begins afterwards finds it. The batch's bytes may be changed after that.
   *
   * @throws TreeError `OTHER_WRITER` if another writer has taken the place of this one; `READ_ONLY` if the store was
   *   opened to be read only
   */
  write(batch: Batch): Promise<void>;
  /** Opens a view of the store as it is now; at once if the store need not wait for anything. */
  snapshot(): StoreSnapshot | Promise<StoreSnapshot>;
  /**
   * A view that a write ends, for a store in which a snapshot costs more. An answer takes a few
   * reads, and most answers begin and end between two writes. If a write comes between, the tree
   * begins the answer again, after some tries in a snapshot.
   */
  look?(): Look;
  /**
   * Room for the temporary files of a load, about as much as the store will take; called by its
   * writer, for one load at a time. Default: memory.
   */
  scratch?(): Promise<Scratch>;
  /** Tells how large the store is, and who writes to it. It changes nothing, also beside a writer. Default: not known. */
  usage?(): Promise<StoreUsage>;
  /** Called once, when no call is on its way and no snapshot is left. Calls that come afterwards fail. */
  close(): Promise<void>;
}
