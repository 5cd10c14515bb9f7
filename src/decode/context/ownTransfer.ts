/**
 * Transfers of native value that are logs (EIP-7708, since Amsterdam). They have the form of ERC-20 transfers of an
 * address that no contract has: it is no token.
 */
import type { Hex } from '../../bytes.js';
import { type AbiEvent, readLog } from '../abi/event.js';
import { nativeLogAddress } from '../receipt/nativeLogAddress.js';
import type { ParsedReceipt, ParsedTransaction, ReceiptLog } from '../receipt/receipt.js';
import { compileDeclaration } from '../registry/registry.js';
import { transferEvent } from './flows.js';

/**
 * The log of the value that the transaction itself moves, which is shown anyway; undefined if there is none. Inner calls
 * may move the same amount between the same two: the first log is the transaction's, and the others are theirs.
 */
export function ownTransferLog(
  receipt: ParsedReceipt,
  transaction: ParsedTransaction,
): ReceiptLog | undefined {
  const { from, logs, isSuccessful } = receipt;
  const to: Hex | null = receipt.to ?? receipt.contractAddress;
  if (transaction.value === 0n || !isSuccessful) return undefined;
  const event = compileDeclaration(transferEvent) as AbiEvent;
  return logs.find((log) => {
    const isTransfer = log.address === nativeLogAddress && log.topics[0] === event.topic0;
    const values = isTransfer ? readLog(event, log) : undefined;
    if (values === undefined) return false;
    return values[0] === from && values[1] === to && values[2] === transaction.value;
  });
}
