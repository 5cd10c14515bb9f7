/** Where pages of lists begin: a walk through all pages reads each record once. */
import { entryBytes, LruCache } from '../../lru.js';

/** Bytes in memory. */
const maxBytes = 16 * 2 ** 20;

export class Bookmarks {
  readonly #notes = new LruCache<string, unknown>(
    maxBytes,
    (_, key) => entryBytes + 200 + 2 * key.length,
  );

  /** @param list all that decides what is listed, with the block that it is of */
  find<Place>(list: string, page: number | 'total'): Place | undefined {
    return this.#notes.get(`${page} ${list}`) as Place | undefined;
  }

  /** @param place a few numbers or texts */
  note(list: string, page: number | 'total', place: unknown): void {
    this.#notes.set(`${page} ${list}`, place);
  }
}
