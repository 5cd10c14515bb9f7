/** Holds the time of the last transaction of an address against its newest transaction that is proven. */
import { ownNamed } from '../../../foreign/members.js';
import type { ActivityItem } from '../../items/portfolioItem.js';
import type { TransactionItem } from '../../items/transactionItem.js';
import type { ListPage } from '../../wire/pages.js';
import { notProven } from '../tokenCalls.js';

/** Members about the chain that are the server's word. */
const claimed = ['is_testnet', 'label'] as const;

/** @returns ms since 1970; NaN if it is no time */
const toTime = (text: string | null | undefined): number => Date.parse(text ?? '');

/**
 * @param page the newest transactions of the address on that chain, verified
 * @throws DataError if there is a later one
 */
export function provenActivity(
  item: ActivityItem,
  { items, assumed }: Pick<ListPage<TransactionItem>, 'items' | 'assumed'>,
): ActivityItem {
  const times = items.map((one) => toTime(one.block_signed_at)).filter((time) => time >= 0);
  const newest = Math.max(...times);
  const seen = toTime(item.last_seen_at);
  if (seen < newest) throw notProven('its last transaction is later than last_seen_at');
  // A later one, if there is any, is of a block that is not proven yet.
  if (seen !== newest) return { ...item, assumed: ['everything'] };
  return {
    name: item.name,
    chain_id: item.chain_id,
    ...ownNamed(item, claimed),
    last_seen_at: new Date(newest).toISOString().replace('.000Z', 'Z'),
    verified: true,
    assumed,
  };
}
