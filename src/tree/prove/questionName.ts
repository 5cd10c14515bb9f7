/** Names of questions under a state root, for what is known of their answers. */
import { bytesToText, concatBytes } from '../../bytes.js';
import type { Question } from '../../verify/claim.js';

/**
 * No two questions share a name: it has a character a byte, and the parts have fixed widths. It is
 * half as long as hex, and made many times a request.
 */
export const questionName = (stateRoot: Uint8Array, { address, storageKeys }: Question): string =>
  bytesToText(concatBytes(stateRoot, address, ...storageKeys));

/** The name of a question for one storage key, from the name of the account's. */
export const slotName = (accountName: string, storageKey: Uint8Array): string =>
  accountName + bytesToText(storageKey);
