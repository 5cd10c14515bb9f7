/** One moment of an index: all that an answer takes is read in it, whoever writes meanwhile. */
import { yieldToEventLoop } from '../../concurrent.js';
import type { Store, StoreReader } from '../../tree/index.js';
import { type Head, readHead } from './head.js';
import { KeptPages } from './keptPages.js';
import { sealed } from './sealedStore.js';

/** Pages after which others have their turn: a store that need not wait for anything never gives them one. */
const pagesATurn = 8;

/** What is kept of each index, by its store. */
const keptPages = new WeakMap<Store, KeptPages>();

function keptOf(store: Store): KeptPages | undefined {
  if (store.isLocal !== true) return undefined;
  let kept = keptPages.get(store);
  if (kept === undefined) {
    kept = new KeptPages();
    keptPages.set(store, kept);
  }
  return kept;
}

export interface Moment {
  readonly reader: StoreReader;
  readonly head: Head;
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
    return await work({ reader, head: await readHead(reader), kept: keptOf(whole), beforePage });
  } finally {
    await reader.release();
  }
}
