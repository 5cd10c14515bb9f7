/** Holders of a token, as servers claim them. */
import type * as z from 'zod/mini';
import { addressMember, amountMember, claim, numberMember } from '../wire/members.js';
import { type ListPage, provableList } from '../wire/pages.js';
import { tokenMembers } from './token.js';

export const holderItem = claim({
  ...tokenMembers,
  /** The holder, 20 bytes. */
  address: addressMember,
  /** What it holds, in smallest units. */
  balance: amountMember,
  /** What all holders have, in smallest units. */
  total_supply: amountMember,
  /** Number of the block that the balance is of. */
  block_height: numberMember,
});

/** The holders of a token. */
export const holdersData = provableList(holderItem);

/** A holder of a token, as the server words it, but for `verified`. */
export interface HolderItem extends z.infer<typeof holderItem> {
  /**
   * The reader's own word: true if these were proven under the anchor: what the contract says that `address` has, `balance`;
   * `block_height`; and `total_supply` and `contract_decimals` unless they are null, as they are if the contract says none, or
   * the proof of it did not come. Names, `supports_erc` and URLs remain the server's word, and members that are not named in
   * this type are left out.
   */
  readonly verified?: true;
}

/** A page of the holders of a token. */
export interface HoldersPage extends ListPage<HolderItem> {
  /**
   * With an anchor, on the last page: true if the proven balances of all pages add up to the proven total supply. Then nobody else
   * holds any of a token whose supply is the sum of all balances, as ERC-20 has it; no proof shows that a contract keeps to that. False if
   * they do not, if the contract says no supply, or if a balance or the supply is not proven.
   */
  readonly complete?: boolean;
}
