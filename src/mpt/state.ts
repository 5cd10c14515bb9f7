/** An account in the Merkle-Patricia trie of a state, as block headers have its root. */
import { encodeInteger, encodeList, encodeString } from './encode.js';

/** An account as the trie holds it. @param fields big-endian integers, and 32 bytes each of the hashes */
export const encodeStateAccount = (fields: {
  nonce: Uint8Array;
  balance: Uint8Array;
  storageRoot: Uint8Array;
  codeHash: Uint8Array;
}): Uint8Array =>
  encodeList(
    encodeInteger(fields.nonce),
    encodeInteger(fields.balance),
    encodeString(fields.storageRoot),
    encodeString(fields.codeHash),
  );
