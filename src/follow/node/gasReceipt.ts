/** The wei that the gas of a transaction burnt: a part of its receipt. */
import type { Hex } from '../../bytes.js';
import { nullable } from '../../foreign/reader.js';
import { FormatError, read, readAmount, readArray, readObject, readWord } from './read.js';

/** The gas of one transaction. */
export interface GasReceipt {
  readonly gasUsed: bigint;
  /** Wei that its blobs cost, which are burnt whole; 0 without blobs. */
  readonly blobFee: bigint;
}

const readPart = nullable(readAmount);

/**
 * Parses the answer of `eth_getBlockReceipts`.
 *
 * @param transactions hashes of the block's transactions, in order
 * @throws FormatError also if the receipts are not those of these transactions
 */
export function parseReceipts(value: unknown, transactions: readonly Hex[]): GasReceipt[] {
  const entries = readArray(value, 'result');
  if (entries.length !== transactions.length) {
    const text = `expected one receipt for each of ${transactions.length} transactions`;
    throw new FormatError('result', text);
  }
  return entries.map((entry, i) => {
    const receipt = readObject(entry, `result[${i}]`);
    if (read(receipt, 'transactionHash', readWord) !== transactions[i]) {
      throw new FormatError(`${receipt.at}.transactionHash`, `expected ${transactions[i]}`);
    }
    const amountOf = (name: string) => read(receipt, name, readPart) ?? 0n;
    return {
      gasUsed: read(receipt, 'gasUsed', readAmount),
      blobFee: amountOf('blobGasUsed') * amountOf('blobGasPrice'),
    };
  });
}
