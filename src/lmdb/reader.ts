/** Reads entries of LMDB in a transaction. */
import type { GetOptions, RangeOptions, Transaction } from 'lmdb';
import { Arena } from '../bytes.js';
import type { Entry, Range, ReadRequest, StoreReader } from '../tree/index.js';
import { mergeEntries } from '../tree/store/mergeEntries.js';
import { type DirectReads, readAtOnce, readDirectly } from '../tree/store/readDirectly.js';
import { lmdbError } from './errors.js';
import type { ByteMap } from './files.js';
import type { LogOverlay, Opened } from './overlay.js';

/** The source of a reader: one transaction, and the log in it. */
export class LmdbView {
  readonly overlay: LogOverlay;
  /** For the value of a key. */
  readonly options: GetOptions & { readonly transaction: Transaction };
  readonly #entries: ByteMap;
  #mayBeOwn = true;

  constructor(entries: ByteMap, { transaction, overlay }: Opened) {
    this.overlay = overlay;
    this.options = { transaction };
    this.#entries = entries;
  }

  /**
   * For a range. In the turn in which it was opened, the transaction is LMDB's own, and LMDB reads a range of that one with a
   * cursor that it keeps; for a transaction that is named, it makes one each time, which takes twice as long as the range.
   */
  rangeOptions(): GetOptions {
    this.#mayBeOwn &&= this.#isOwn();
    return this.#mayBeOwn ? ownOptions : this.options;
  }

  #isOwn(): boolean {
    try {
      const own = this.#entries.useReadTransaction();
      own.done();
      return own === this.options.transaction;
    } catch {
      // LMDB opens another one then, and all places may be taken: what is held can be read all the same.
      return false;
    }
  }
}

/** LMDB's own transaction is read. */
const ownOptions: GetOptions = {};

/** Entries of a range, as `StoreReader.read` has it. */
function getRange(
  entries: ByteMap,
  { from, to, limit, reverse }: Range,
  { transaction }: GetOptions,
): Entry[] {
  // LMDB takes an empty bound for none.
  if (to?.length === 0) return [];
  // Written out: with spread members in between, LMDB takes twice the time to read its options.
  const options = reverse
    ? { transaction, reverse, start: to, exclusiveStart: true, end: from, inclusiveEnd: true }
    : { transaction, start: from, end: to };
  const found: Entry[] = [];
  for (const entry of entries.getRange(options as RangeOptions)) {
    found.push(entry);
    // A limit of its own would have LMDB go on to the entry behind.
    if (found.length === limit) break;
  }
  return found;
}

const readError = (cause: unknown) => lmdbError('cannot read the store', cause);

/** LMDB's method takes options, too, though its types leave them out. */
type Shared = { getBinaryFast(key: Uint8Array, options: GetOptions): Uint8Array | undefined };

/** Memory of values. A reader that keeps one for long copies it. */
const values = new Arena();

/** A value; no buffer of Node, since to make one takes as long as the search. LMDB gives what it will put the next value into. */
function getBytes(entries: ByteMap, key: Uint8Array, options: GetOptions): Uint8Array | undefined {
  const shared = (entries as Shared).getBinaryFast(key, options);
  // No part of it by its own methods: that would be a buffer of Node, too.
  return shared && values.copy(new Uint8Array(shared.buffer, shared.byteOffset, shared.length));
}

/** Reads in a view. */
function directReads(entries: ByteMap, view: LmdbView): DirectReads {
  const { options, overlay } = view;
  return {
    get(key) {
      try {
        const logged = overlay.get(key);
        // What the log has is copied, too: it is the caller's.
        return logged ? values.copy(logged) : getBytes(entries, key, options);
      } catch (cause) {
        throw readError(cause);
      }
    },
    range(range) {
      try {
        const own = overlay.range(range).map(({ key, value }) => ({
          key,
          value: values.copy(value),
        }));
        const placed = getRange(entries, range, view.rangeOptions());
        return own.length > 0 ? mergeEntries(own, placed, range) : placed;
      } catch (cause) {
        throw readError(cause);
      }
    },
  };
}

/** @param view throws if it is over */
export function createStoreReader(entries: ByteMap, view: () => LmdbView): StoreReader {
  const read = async (request: ReadRequest, pause?: () => Promise<void>) => {
    const turn = async () => {
      await pause?.();
      // It may be over by now.
      view();
    };
    return readDirectly(request, directReads(entries, view()), pause && turn);
  };
  const now = (request: ReadRequest) => readAtOnce(request, directReads(entries, view()));
  return { read: Object.assign(read, { now }) };
}
