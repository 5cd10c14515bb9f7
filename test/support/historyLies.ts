/** What a server can do to the proofs of blocks, and to the members of items. */
import type { Wire } from './runs.js';

/** Another value of the same form. */
export function otherThan(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return [value];
  if (/^\d+$/.test(value)) return String(BigInt(value) + 1n);
  return value.startsWith('0x') && value.length > 2
    ? value.replace(/.$/, (digit) => (digit === '1' ? '2' : '1'))
    : `${value}0x`;
}

/** A lie about the proofs of a page that rests on a block, by what it is. @param other a block of the page, too */
export const historyLies = (
  block: number,
  other: number,
): Record<string, (data: Wire) => void> => ({
  'no history': (data) => delete data.history,
  'no proofs': (data) => delete data.proofs,
  'no header': ({ history }) => delete history.headers[block],
  'a changed header': ({ history }) => {
    history.headers[block] = otherThan(history.headers[block]);
  },
  'the header of another block': ({ history }) => {
    history.headers[block] = history.headers[other];
  },
  'no proof of the slots': ({ proofs }) => proofs.accounts.splice(0),
  'no receipts': ({ history }) => delete history.receipts[block],
  'receipts of another block': ({ history }) => {
    history.receipts[block] = history.receipts[other];
  },
  'a receipt less': ({ history }) => history.receipts[block].pop(),
  'a changed receipt': ({ history }) => {
    history.receipts[block][0] = otherThan(history.receipts[block][0]);
  },
  'no transactions': ({ history }) => delete history.transactions[block],
  'transactions of another block': ({ history }) => {
    history.transactions[block] = history.transactions[other];
  },
  'an item twice': ({ items }) => items.push(items[0]),
});
