/** The older block that a question is about: by its number, or the last one of a day. */
import type { ChainContext } from '../../data/balances.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import type { Rule } from '../../rest/table.js';
import { findBlock, notFound } from './blocks.js';
import { blockName, dayText, type NumberOrLatest } from './parameters.js';
import { needReceipts } from './settled.js';

const day = dayText
  .optional()
  .openapi({ description: 'As it was at the last block of that day, in UTC' });

const date: Rule<typeof day> = {
  schema: day,
  fault(_, before) {
    if (before['block-height'] !== undefined) return 'must stand without block-height';
    // Which block it was is nothing that the proofs of its state show.
    return before.proofs ? 'must stand without proofs=true' : undefined;
  },
};

/** The members of a query that name the block. */
export const pastQuery = { 'block-height': blockName.optional(), date };

/** Undefined members: the newest block. */
export interface PastQuestion {
  readonly block: NumberOrLatest | undefined;
  /** Seconds at which the day begins. */
  readonly day: number | undefined;
}

export const toPast = (read: {
  readonly 'block-height': NumberOrLatest | undefined;
  readonly date: number | undefined;
}): PastQuestion => ({ block: read['block-height'], day: read.date });

/** Seconds. */
export const secondsADay = 86_400;

/** @returns undefined: the newest @throws HttpError 404, RpcError, NodeError */
export async function findPast(
  { block, day }: PastQuestion,
  access: ChainContext,
  at: BalanceBlock,
): Promise<BalanceBlock | undefined> {
  // An index of tokens alone has not the times of all blocks.
  if (day !== undefined) needReceipts(access);
  const last = day === undefined ? undefined : await access.index.blockAt(day + secondsADay - 1);
  if (day !== undefined && last === undefined) throw notFound('The chain had no block yet');
  const name = block ?? last;
  if (name === undefined || name === 'latest') return undefined;
  const { number, hash } = await findBlock(access, name, at);
  if (day === undefined && number > at.number) {
    throw notFound('The index has not come to this block yet');
  }
  return number < at.number ? { number, hash } : undefined;
}
