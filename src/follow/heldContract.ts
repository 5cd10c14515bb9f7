/** What the state tree holds of an account that the block itself writes to. */
import type { Hex } from '../bytes.js';
import type { StateTree } from '../tree/index.js';
import type { Account } from './blockMerge.js';
import { zeroWord } from './read.js';

/** One word of an account value on the wire. */
const wordAt = (value: Hex, index: number): bigint =>
  BigInt(`0x${value.slice(2 + 64 * index, 2 + 64 * (index + 1))}`);

/** Place of a field in an account value. */
const fields = { nonce: 0, balance: 1, codeSize: 5 } as const;

/**
 * A contract and some of its slots, as they are after the newest block.
 *
 * @returns undefined where the address has no code
 */
export async function heldContract(
  tree: StateTree,
  address: Hex,
  keys: readonly Hex[],
): Promise<{ account: Account; slots: Hex[] } | undefined> {
  const { accountProof, storageProofs } = await tree.getProof(address, keys);
  if (!('proof' in accountProof)) return undefined;
  const { value } = accountProof.proof;
  if (wordAt(value, fields.codeSize) === 0n) return undefined;
  const slots = keys.map((_, i) => {
    const slot = storageProofs[i];
    return slot && 'proof' in slot ? slot.proof.value : zeroWord;
  });
  const account = {
    nonce: wordAt(value, fields.nonce),
    balance: wordAt(value, fields.balance),
    // The state holds its hash only, and a block does not change it.
    code: undefined,
  };
  return { account, slots };
}
