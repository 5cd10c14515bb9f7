/** What the gas of a transaction burnt: a part of its receipt. */
import type { Hex } from '../../bytes.js';
import { FormatError, member, readArray, readHex, readObject, readQuantity } from './read.js';

/** The gas of one transaction. */
export interface GasReceipt {
  readonly gasUsed: bigint;
  /** Wei that its blobs cost, which are burnt whole; 0 without blobs. */
  readonly blobFee: bigint;
}

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
    const path = `result[${i}]`;
    const receipt = readObject(entry, path);
    const quantity = (name: string) =>
      readQuantity(member(receipt, name) ?? 0, 256, `${path}.${name}`);
    const at = `${path}.transactionHash`;
    if (readHex(member(receipt, 'transactionHash'), 32, at) !== transactions[i]) {
      throw new FormatError(at, `expected ${transactions[i]}`);
    }
    return {
      gasUsed: readQuantity(member(receipt, 'gasUsed'), 256, `${path}.gasUsed`),
      blobFee: quantity('blobGasUsed') * quantity('blobGasPrice'),
    };
  });
}
