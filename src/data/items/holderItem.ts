/** Holders of a token, as servers claim them. */
import type * as z from 'zod/mini';
import { addressMember, amountMember, claim, numberMember } from '../wire/members.js';
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

/** A holder of a token, as the server words it. */
export interface HolderItem extends z.infer<typeof holderItem> {}
