/** The range of blocks that a question about logs names. */
import type { BalanceBlock } from '../../data/indexHead.js';
import { badRequest, notFound } from './blocks.js';
import { blockName, type NumberOrLatest } from './parameters.js';

/** The members of a query that name a range. */
export const spanQuery = {
  'starting-block': blockName.optional(),
  'ending-block': blockName.optional(),
};

/** Both ends are in the range. */
export interface NamedSpan {
  readonly from: NumberOrLatest;
  readonly to: NumberOrLatest;
}

/** The same by numbers. */
export interface BlockSpan {
  readonly from: number;
  readonly to: number;
}

/** The numbers that names mean at a block. @throws HttpError */
export function toSpan({ from, to }: NamedSpan, at: BalanceBlock): BlockSpan {
  const numberOf = (name: NumberOrLatest) => (name === 'latest' ? at.number : name);
  const span = { from: numberOf(from), to: numberOf(to) };
  if (span.from > span.to) throw badRequest('ending-block must not be before starting-block');
  if (span.to > at.number) {
    throw notFound(`ending-block is beyond the newest block here, which is ${at.number}`);
  }
  return span;
}

/**
 * The range with `latest` in it as the newest block that can be proven, if items are to be.
 *
 * @param newest undefined: they are not
 */
export function provableSpan({ from, to }: NamedSpan, newest: number | undefined): NamedSpan {
  const numberOf = (name: NumberOrLatest) => (name === 'latest' ? (newest ?? name) : name);
  return { from: numberOf(from), to: numberOf(to) };
}

/** The range that a query names; without an end, it goes from the first block or to the newest. */
export const toNamedSpan = (read: {
  readonly 'starting-block': NumberOrLatest | undefined;
  readonly 'ending-block': NumberOrLatest | undefined;
}): NamedSpan => ({ from: read['starting-block'] ?? 0, to: read['ending-block'] ?? 'latest' });
