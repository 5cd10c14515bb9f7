/** Requests that say which block their answer is of: its number, a day, or with a root the block of that. */
import { wrongRange, wrongType } from '../../errors.js';
import type { Query } from './query.js';
import { blockRule, optionalRule, timeRule } from './request.js';
import { type Trust, type Trusting, toProofsQuery, trustRules } from './trust.js';

/** The block that an answer is of. */
export interface PastBlock extends Trusting {
  /** Number of the block whose state counts. Beside an `anchor` it can only be that of the anchor. */
  block?: number | undefined;
  /** A day, in UTC, whose last block counts, in place of `block`. Not beside an `anchor`. */
  day?: Date | undefined;
}

export const pastRules = {
  block: optionalRule(blockRule),
  day: optionalRule(timeRule),
  ...trustRules,
};

/**
 * The members of a query that name the block, or ask for proofs of it.
 *
 * @param day as its rule reads it
 * @throws TypeError or RangeError if the request names another block than that of the root
 */
export function toPastQuery(
  { block, day }: { readonly block: number | undefined; readonly day?: string | undefined },
  trust: Trust | undefined,
): Query {
  if (block !== undefined && day !== undefined) {
    throw new TypeError('the request expected "block" or "day", not both');
  }
  if (trust === undefined) return { 'block-height': block, date: day?.slice(0, 10) };
  const number = trust.anchor.l2BlockNumber;
  if (day !== undefined) {
    throw wrongType('day', `expected no day beside "anchor", whose block ${number} is verified`);
  }
  if (block !== undefined && block !== number) {
    throw wrongRange('block', `expected ${number}, the block of "anchor", which is verified`);
  }
  return toProofsQuery(trust);
}
