/** The ERC-20 transfers of a chain, read of its node's receipts by rules of their own: the model of the lists of transfers. */
import { numberToHex } from 'viem';
import type { Hex } from '../../src/bytes.js';
import type { AnvilCalls } from './anvil.js';
import type { Wire } from './runs.js';

export interface ModelTransfer {
  readonly contract: Hex;
  readonly from: Hex;
  readonly to: Hex;
  readonly amount: bigint;
}

/** A transaction, in the node's words, and what it moved. */
export interface ModelTransaction {
  readonly block: Wire;
  readonly sent: Wire;
  readonly receipt: Wire;
  readonly transfers: readonly ModelTransfer[];
}

/** Hashes of `Transfer(address,address,uint256)`, `Deposit(address,uint256)`, `Withdrawal(address,uint256)`. */
export const events = {
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  deposit: '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
  withdrawal: '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65',
} as const;

export const nobody: Hex = `0x${'00'.repeat(20)}`;

/** An address in a word, or undefined if something stands before it. */
const addressIn = (word: string): Hex | undefined =>
  /^(0x)?0{24}[0-9a-f]{40}$/.test(word) ? `0x${word.slice(-40)}` : undefined;

/** One log, and whether it is of a wrapping. */
function readLog({ address: contract, topics, data }: Wire) {
  const [event, ...words] = topics;
  const digits = data.slice(2);
  if (event === events.transfer && words.length === 0 && digits.length === 192) {
    words.push(digits.slice(0, 64), digits.slice(64, 128));
  } else if (digits.length !== 64) return undefined;
  const amount = BigInt(`0x${digits.slice(-64)}`);
  const [first, second] = words.map(addressIn);
  if (event === events.transfer) {
    if (words.length !== 2 || first === undefined || second === undefined) return undefined;
    return { contract, from: first, to: second, amount, isWrapping: false };
  }
  if (words.length !== 1 || first === undefined) return undefined;
  if (event === events.deposit) {
    return { contract, from: nobody, to: first, amount, isWrapping: true };
  }
  if (event !== events.withdrawal) return undefined;
  return { contract, from: first, to: nobody, amount, isWrapping: true };
}

/** What logs of one transaction moved; a mint and a wrapping, or a burn and an unwrapping, that say the same count once. */
function readLogs(logs: readonly Wire[]): ModelTransfer[] {
  const found: ModelTransfer[] = [];
  /** Those without a partner yet. */
  const alone: { key: string; isWrapping: boolean }[] = [];
  for (const log of logs) {
    const read = readLog(log);
    if (read === undefined) continue;
    const { isWrapping, ...transfer } = read;
    const key = Object.values(transfer).join(' ');
    if (read.from === nobody || read.to === nobody) {
      const partner = alone.findIndex((one) => one.key === key && one.isWrapping !== isWrapping);
      if (partner >= 0) {
        alone.splice(partner, 1);
        continue;
      }
      alone.push({ key, isWrapping });
    }
    found.push(transfer);
  }
  return found;
}

/** All transactions of the chain as it is now, the oldest first. */
export async function readModel(
  node: AnvilCalls,
): Promise<{ transactions: ModelTransaction[]; newest: Wire }> {
  const count = Number(await node.call('eth_blockNumber')) + 1;
  const numbers = Array.from({ length: count }, (_, i) => numberToHex(i));
  const blocks: Wire[] = await node.callEach(
    'eth_getBlockByNumber',
    numbers.map((number) => [number, true]),
  );
  const receipts: Wire[][] = await node.callEach(
    'eth_getBlockReceipts',
    numbers.map((number) => [number]),
  );
  const transactions = blocks.flatMap((block, i) =>
    block.transactions.map((sent: Wire, at: number): ModelTransaction => {
      const receipt = receipts[i]?.[at];
      return { block, sent, receipt, transfers: readLogs(receipt.logs) };
    }),
  );
  return { transactions, newest: blocks.at(-1) };
}
