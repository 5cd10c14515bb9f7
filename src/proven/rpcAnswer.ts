/** A verified answer of `eth_getProof` in the form that nodes give it, with nothing in it that was not proven. */
import type { Hex } from '../bytes.js';
import { encodeHex } from '../bytes.js';
import { toQuantity } from '../foreign/values.js';
import { emptyTrieRoot } from '../mpt/encode.js';
import { noCodeHash } from '../verify/code.js';
import type { StateKind, VerifiedState } from '../verify/result.js';

/**
 * One entry per key, in the order of the keys: the server may have named each key once, in an order of its own.
 *
 * @param result the answer that was verified to `state`
 */
export function toRpcAnswer(result: unknown, state: VerifiedState<StateKind>): object {
  const { accountProof, storageProof } = result as {
    accountProof: unknown;
    storageProof: { key: unknown; proof: unknown }[];
  };
  const { address, account, storage } = state;
  const proofs = new Map(storageProof.map(({ key, proof }) => [BigInt(key as Hex), proof]));
  return {
    address,
    accountProof,
    balance: toQuantity(account?.balance ?? 0n),
    codeHash: account?.keccakCodeHash ?? noCodeHash,
    nonce: toQuantity(account?.nonce ?? 0n),
    storageHash: account?.storageRoot ?? encodeHex(emptyTrieRoot),
    storageProof: storage.map(({ key, value }) => ({
      key,
      value: toQuantity(BigInt(value)),
      // The server leaves it out if the trie is empty.
      proof: proofs.get(BigInt(key)) ?? [],
    })),
  };
}
