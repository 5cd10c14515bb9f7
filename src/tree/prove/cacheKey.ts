/** Keys of caches of answers: a question under a state root. */
import { bytesToText, concatBytes } from '../../bytes.js';
import type { ClaimQuestion } from '../../verify/claim.js';

/**
 * No two questions share a name: it has a character a byte, and the parts have fixed widths. It is
 * half as long as hex, and made many times a request.
 */
export const cacheKey = (stateRoot: Uint8Array, { address, storageKeys }: ClaimQuestion): string =>
  bytesToText(concatBytes(stateRoot, address, ...storageKeys));

/** The name of a question for one storage key, from the name of the account's. */
export const slotCacheKey = (accountName: string, storageKey: Uint8Array): string =>
  accountName + bytesToText(storageKey);
