/** A verified answer of `eth_getProof` in the form that nodes give it, with nothing in it that was not proven. */
import type { Hex } from '../bytes.js';
import { encodeHex } from '../bytes.js';
import { ownNamed } from '../foreign/members.js';
import { toQuantity } from '../foreign/values.js';
import { emptyTrieRoot } from '../mpt/encode.js';
import { noCodeHash } from '../verify/code.js';
import type { StateKind, VerifiedState } from '../verify/result.js';

/** @param result the answer that was verified to `state` */
export function toRpcAnswer(result: unknown, state: VerifiedState<StateKind>): object {
  const { accountProof, storageProof } = result as {
    accountProof: unknown;
    storageProof: { proof: unknown }[];
  };
  const { address, account, storage } = state;
  return {
    address,
    accountProof,
    balance: toQuantity(account?.balance ?? 0n),
    codeHash: account?.keccakCodeHash ?? noCodeHash,
    nonce: toQuantity(account?.nonce ?? 0n),
    storageHash: account?.storageRoot ?? encodeHex(emptyTrieRoot),
    storageProof: storage.map(({ key, value }: { key: Hex; value: Hex }, i) => ({
      key,
      value: toQuantity(BigInt(value)),
      ...ownNamed(storageProof[i] as { proof: unknown }, ['proof']),
    })),
  };
}
