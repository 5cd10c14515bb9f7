/** A block, for people. All of it was proven. */
import type { Block } from '../../history/index.js';
import { columns } from '../print/print.js';
import { countText } from '../print/result.js';
import { checksummed, gweiText, secondsText } from '../print/units.js';

type Row = readonly [string, string];

/** Transactions that are shown. */
const mostTransactions = 100;

/** How much of the limit was used, in percent with a digit behind the point. */
function gasText({ gasUsed, gasLimit }: Block): string {
  const [used, limit] = [BigInt(gasUsed), BigInt(gasLimit)];
  const share = limit === 0n ? '' : ` (${Number((1000n * used) / limit) / 10}%)`;
  return `${used} of ${limit}${share}`;
}

/** A list of hashes below its name. */
function listRows(name: string, hashes: readonly string[]): Row[] {
  const more = hashes.length - mostTransactions;
  return [
    [name, hashes.length === 0 ? 'none' : String(hashes.length)],
    ...hashes.slice(0, mostTransactions).map((hash): Row => ['', hash]),
    ...(more > 0 ? [['', `and ${more} more, which --json has`] as const] : []),
  ];
}

export function blockText(block: Block<`0x${string}`>): string {
  const { number, hash, timestamp, parentHash, miner, baseFeePerGas, size, withdrawals } = block;
  return columns([
    ['block', String(BigInt(number))],
    ['hash', hash],
    ['time', secondsText(timestamp)],
    ['parent', parentHash],
    ['fee recipient', checksummed(miner)],
    ['gas used', gasText(block)],
    ...(baseFeePerGas === undefined ? [] : [['base fee', gweiText(baseFeePerGas)] as const]),
    ['size', countText(BigInt(size), 'byte')],
    ...(withdrawals?.length ? [['withdrawals', String(withdrawals.length)] as const] : []),
    ...listRows('transactions', block.transactions),
  ]);
}
