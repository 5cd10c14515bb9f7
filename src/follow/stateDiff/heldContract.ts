/** The state tree's values of an account that the block itself writes to. */
import type { Hex } from '../../bytes.js';
import type { BlockGroup } from '../../tree/index.js';
import type { NodeAccount } from './blockMerge.js';

/** A state, read without proofs. */
export type HeldState = Pick<BlockGroup, 'read'>;

/**
 * A contract and some of its slots, as they are after the newest block.
 *
 * @returns undefined if the address has no code
 */
export async function heldContract(
  state: HeldState,
  address: Hex,
  keys: readonly Hex[],
): Promise<{ account: NodeAccount; slots: Hex[] } | undefined> {
  const { account, storage } = await state.read(address, keys);
  if (account === null || account.codeSize === 0n) return undefined;
  const { nonce, balance } = account;
  const slots = storage.map(({ value }) => value);
  // The state holds the hash of the code only, and a block does not change it.
  return { account: { nonce, balance, code: undefined }, slots };
}
