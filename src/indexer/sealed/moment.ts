/** One moment of an index: all that an answer takes is read in it, whoever writes meanwhile. */
import { yieldToEventLoop } from '../../concurrent.js';
import type { Store, StoreReader } from '../../tree/index.js';
import type { Head } from './head.js';
import { KeptPages } from './keptPages.js';
import { sealed } from './sealedStore.js';
import { VersionReads } from './versionReads.js';

/** Pages after which others have their turn: a store that need not wait for anything never gives them one. */
const pagesATurn = 8;

/** What an index has read before. */
interface Known {
  /** Undefined: nothing is kept. */
  readonly pages: KeptPages | undefined;
  reads: VersionReads;
}

/** By the store of the index. */
const known = new WeakMap<Store, Known>();

function knownOf(store: Store): Known {
  let found = known.get(store);
  if (found === undefined) {
    const pages = store.isLocal === true ? new KeptPages() : undefined;
    found = { pages, reads: new VersionReads(undefined) };
    known.set(store, found);
  }
  return found;
}

/** What was read at a version of the store. */
function readsAt(of: Known, version: number | undefined): VersionReads {
  if (version === undefined || of.reads.version !== version) of.reads = new VersionReads(version);
  return of.reads;
}

export interface Moment {
  readonly reader: StoreReader;
  readonly head: Head;
  /** What need not be read again at this version of the store. */
  readonly reads: VersionReads;
  /** Pages that need not be read again; undefined if none are kept. */
  readonly kept: KeptPages | undefined;
  /** Is waited for before each list and each further page, however many lists an answer takes: others have their turn. */
  beforePage(): Promise<void>;
}

/**
 * Reads at one moment, which ends with the work.
 *
 * @throws IndexError `DAMAGED`; what the store and the work throw
 */
export async function atMoment<T>(store: Store, work: (moment: Moment) => Promise<T>): Promise<T> {
  const whole = sealed(store);
  const reader = await whole.snapshot();
  let pages = 0;
  const beforePage = async () => {
    pages += 1;
    if (pages % pagesATurn === 0) await yieldToEventLoop();
  };
  try {
    const of = knownOf(whole);
    const reads = readsAt(of, reader.version);
    return await work({
      reader,
      head: await reads.head(reader),
      reads,
      kept: of.pages,
      beforePage,
    });
  } finally {
    await reader.release();
  }
}
