/** The laws of one wallet: its totals count the transactions that are listed, and what it moved is among its holdings. */
import { addressWidth, encodeHex, type Hex } from '../../bytes.js';
import { IndexError } from '../layout/errors.js';
import { keyOf, touches, within } from '../layout/layout.js';
import { bodyIn, stateWidth } from '../layout/record.js';
import { createTransactionLists } from '../lists/transactions.js';
import type { CheckReader } from './reading.js';
import { sampleAddress } from './sample.js';

/** Transactions of a wallet that are counted at most. */
const mostTransactions = 100_000;

/** The first wallet with transactions at or behind an address, in a circle; undefined if there is none at all. */
async function findWallet(reader: CheckReader, from: Uint8Array): Promise<Hex | undefined> {
  const { to, from: first } = within('total');
  let found: Hex | undefined;
  for (const start of [keyOf('total', from), first]) {
    await reader.read({ from: start, to }, 1, ({ key }) => {
      found = encodeHex(key.subarray(1));
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Checks a wallet that chance names. @returns whether there is one @throws IndexError `DAMAGED` */
export async function checkSomeWallet(reader: CheckReader): Promise<boolean> {
  const wallet = await findWallet(reader, sampleAddress());
  if (wallet === undefined) return false;
  if (wallet.length !== 2 + 2 * addressWidth) {
    throw new IndexError('DAMAGED', 'the index holds a total of no address');
  }
  const total = await createTransactionLists(reader.store).total(wallet);
  let [transactions, sent] = [0, 0];
  const { from, to } = within('touched', Buffer.from(wallet.slice(2), 'hex'));
  const isWhole = await reader.read({ from, to }, mostTransactions, ({ value }) => {
    transactions++;
    if (((bodyIn(value)[0] as number) & touches.sent) !== 0) sent++;
    if (value.length !== stateWidth + 1) {
      throw new IndexError('DAMAGED', 'the index holds half a transaction');
    }
  });
  const isSame = total.transactions === transactions && total.sent === sent;
  if (!isWhole || isSame) return true;
  const counted = `${transactions} transactions, ${sent} of them sent`;
  const said = `${total.transactions} and ${total.sent}`;
  throw new IndexError(
    'DAMAGED',
    `the index lists ${counted} of ${wallet}, and its totals say ${said}`,
  );
}
