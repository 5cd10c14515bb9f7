/**
 * Answers as text, for questions that come again and again. A state root is the hash of all that an answer shows, so
 * question and root determine the answer: none can become stale. Only verified answers are kept.
 */
import { LruCache } from '../../lru.js';
import type { ClaimQuestion } from '../../verify/claim.js';
import { cacheKey } from './cacheKey.js';
import { flatText } from './flatText.js';
import { type Written, wholeText } from './jsonWriter.js';

/** Characters that are kept, of the answers asked for last: those of some 5,000 accounts. */
const maxLength = 1 << 25;

/** Storage keys of an answer that is kept: longer ones are rarely asked for twice. */
const maxKeys = 8;

/** The name of an answer; empty for one that is not kept. */
const cacheKeyIfKept = (stateRoot: Uint8Array, question: ClaimQuestion): string =>
  question.storageKeys.length > maxKeys ? '' : cacheKey(stateRoot, question);

export class ProofTextCache {
  readonly #texts = new LruCache<string, string>(maxLength, ({ length }) => length);

  get(stateRoot: Uint8Array, question: ClaimQuestion): string | undefined {
    return this.#texts.get(cacheKeyIfKept(stateRoot, question));
  }

  /** Keeps an answer that was verified. */
  keep(stateRoot: Uint8Array, question: ClaimQuestion, text: Written): void {
    const name = cacheKeyIfKept(stateRoot, question);
    if (name !== '') this.#texts.set(name, flatText(wholeText(text)));
  }
}
