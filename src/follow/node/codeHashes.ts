/** keccak-256 of code: contracts that are used often show their code in every block, and hashing it is what costs most. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeHex, type Hex } from '../../bytes.js';
import { hexToBytes } from '../../foreign/argument.js';

export interface CodeHashes {
  /** @param code whole bytes of hex */
  of(code: Hex): Hex;
}

/** Characters of code that are remembered at most. */
const maxLength = 32 * 1024 * 1024;

export function createCodeHashes(): CodeHashes {
  const known = new Map<Hex, Hex>();
  let length = 0;
  return {
    of(code) {
      let hash = known.get(code);
      if (hash === undefined) {
        hash = encodeHex(keccak_256(hexToBytes(code)));
        length += code.length;
        if (length > maxLength) {
          known.clear();
          length = code.length;
        }
        known.set(code, hash);
      }
      return hash;
    },
  };
}
