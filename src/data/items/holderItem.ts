/** Holders of a token, as servers claim them. */
import type * as z from 'zod/mini';
import { address, amount, claim, number } from '../wire/members.js';
import { tokenMembers } from './token.js';

export const holderItem = claim({
  ...tokenMembers,
  /** The holder, 20 bytes. */
  address,
  /** What it holds, in smallest units. */
  balance: amount,
  /** What all holders have, in smallest units. */
  total_supply: amount,
  /** Number of the block that the balance is of. */
  block_height: number,
});

/** A holder of a token, as the server words it. */
export interface HolderItem extends z.infer<typeof holderItem> {}
