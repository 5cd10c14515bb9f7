/** The receipts of a block, proven by its header. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeHex, type Hex, integerToBytes } from '../../bytes.js';
import { wrongRange } from '../../errors.js';
import { checkHex } from '../../foreign/argument.js';
import { parseQuantity, toQuantity } from '../../foreign/values.js';
import { encodeRlp, trim } from '../../mpt/encode.js';
import {
  encodeReceipt,
  parseReceipt,
  type RlpReceipt as ReadReceipt,
  toBloom,
} from '../../mpt/receipt.js';
import { runSteps, type Steps } from '../../steps.js';
import { toHistoryError } from './errors.js';
import { checkHeader, type GivenHeader, placeOf } from './givenHeader.js';
import { checkProvenList, readProvenList } from './list.js';
import type { BlockLog, BlockReceipt, BlockTransaction, Log, Receipt } from './types.js';

/** A receipt of a block, read. */
export interface BloomedReceipt extends ReadReceipt {
  /** 256 bytes. */
  readonly bloom: Uint8Array;
}

function* parse(value: unknown, at: string): Steps<BloomedReceipt> {
  const receipt = yield* parseReceipt(value, at);
  return { ...receipt, bloom: yield* toBloom(receipt.logs) };
}

/** One receipt, read. Nothing is held against a root yet. @throws HistoryError */
export function* readBloomedReceipt(answer: unknown): Steps<BloomedReceipt> {
  try {
    return yield* parse(answer, 'receipt');
  } catch (cause) {
    throw toHistoryError(cause);
  }
}

const encode = (receipt: BloomedReceipt) => encodeReceipt(receipt, receipt.bloom);

/** Holds all receipts of a block against their root. @param root `receiptsRoot` @throws HistoryError */
export const checkReceipts = (receipts: readonly BloomedReceipt[], root: Hex): Steps<void> =>
  checkProvenList(receipts, { name: 'receipts', root }, encode);

/** All receipts of a block, read. @param root `receiptsRoot` @throws HistoryError */
export const readReceipts = (answer: unknown, root: Hex): Steps<BloomedReceipt[]> =>
  readProvenList(answer, { name: 'receipts', root }, parse, encode);

/** The logs of a receipt. @param first index of its first log in the block */
export const toBlockLogs = (
  { logs }: ReadReceipt,
  { index, first }: { readonly index: number; readonly first: number },
  header: GivenHeader,
): BlockLog[] =>
  logs.map(({ address, topics, data }, i) => ({
    ...placeOf(header, index),
    address: encodeHex(address),
    topics: topics.map(encodeHex),
    data: encodeHex(data),
    logIndex: toQuantity(first + i),
    removed: false,
    blockTimestamp: header.timestamp,
  }));

/** The receipts in the form of JSON-RPC, as far as they alone prove it; one a step. */
export function* toBlockReceipts(
  receipts: readonly BloomedReceipt[],
  header: GivenHeader,
): Steps<BlockReceipt[]> {
  const all: BlockReceipt[] = [];
  let first = 0;
  let before = 0n;
  for (const [index, receipt] of receipts.entries()) {
    const { type, outcome, cumulativeGasUsed, bloom, logs } = receipt;
    all.push({
      ...placeOf(header, index),
      type: toQuantity(type),
      ...(typeof outcome === 'boolean'
        ? { status: outcome ? '0x1' : '0x0' }
        : { root: encodeHex(outcome) }),
      cumulativeGasUsed: toQuantity(cumulativeGasUsed),
      gasUsed: toQuantity(cumulativeGasUsed - before),
      logsBloom: encodeHex(bloom),
      logs: toBlockLogs(receipt, { index, first }, header),
    });
    first += logs.length;
    before = cumulativeGasUsed;
    yield;
  }
  return all;
}

/** The address of a creation (CREATE). @param from 20 bytes @param nonce of the transaction */
function createdAddress(from: Uint8Array, nonce: bigint): Hex {
  const preimage = encodeRlp([from, trim(integerToBytes(nonce, 8))]);
  return encodeHex(keccak_256(preimage).subarray(12));
}

/** Gas of a blob (EIP-4844). */
const gasPerBlob = 2 ** 17;

/** A receipt with what its transaction says. @param transaction of the same place */
export function joinReceipt(receipt: BlockReceipt, transaction: BlockTransaction): Receipt {
  const { hash: transactionHash, from, to, nonce, gasPrice, blobVersionedHashes } = transaction;
  const created = () =>
    createdAddress(checkHex(from, 20, 'from'), parseQuantity(nonce, 64) as bigint);
  return {
    ...receipt,
    logs: receipt.logs.map((log): Log => ({ ...log, transactionHash })),
    transactionHash,
    from,
    to,
    contractAddress: to === null ? created() : null,
    effectiveGasPrice: gasPrice,
    ...(blobVersionedHashes && {
      blobGasUsed: toQuantity(gasPerBlob * blobVersionedHashes.length),
    }),
  };
}

/** Refuses transactions of another block, or not all of them. @throws RangeError */
function checkTransactions(
  transactions: readonly BlockTransaction[],
  receipts: readonly BlockReceipt[],
): void {
  const isSame = ({ blockHash, transactionIndex }: BlockTransaction, i: number) =>
    blockHash === receipts[i]?.blockHash && transactionIndex === receipts[i]?.transactionIndex;
  if (transactions.length === receipts.length && transactions.every(isSame)) return;
  throw wrongRange(
    'transactions',
    'expected all of the same block, as verifyTransactions gives them',
  );
}

/**
 * Verifies the receipts of a block: all of it, in order. What only transactions say is left out.
 *
 * @param receipts of unknown origin: the answer of `eth_getBlockReceipts`
 * @param header trusted: one that {@link verifyHeaders} gave
 * @returns the receipts, each member computed from what hashes to the header
 * @throws HistoryError `BAD_ANSWER`, `WRONG_RECEIPTS`, `UNKNOWN_TYPE`
 * @throws TypeError or RangeError for a wrong header, before the receipts are looked at
 *
 * @example
 * ```ts
 * import { verifyHeaders, verifyReceipts } from 'l2proof/history';
 * import { createTransport } from 'l2proof/rpc';
 *
 * const node = createTransport({ url: 'https://node.example' }); // any node of the L2
 * const hash = '0xL2_BLOCK_HASH'; // trusted
 * const block = await node.call('eth_getBlockByHash', [hash, false]);
 * for (const header of verifyHeaders([block], { hash })) {
 *   const receipts = await node.call('eth_getBlockReceipts', [header.number]);
 *   for (const { status, logs } of verifyReceipts(receipts, header)) console.log(status, logs.length);
 * }
 * ```
 */
export function verifyReceipts(receipts: unknown, header: GivenHeader): BlockReceipt[];
/**
 * The same with what the transactions say.
 *
 * @param transactions of the same block, as {@link verifyTransactions} gave them
 * @throws RangeError for transactions of another block
 */
export function verifyReceipts(
  receipts: unknown,
  header: GivenHeader,
  transactions: readonly BlockTransaction[],
): Receipt[];
export function verifyReceipts(
  receipts: unknown,
  header: GivenHeader,
  transactions?: readonly BlockTransaction[],
): BlockReceipt[] {
  const given = checkHeader(header);
  const read = runSteps(readReceipts(receipts, given.receiptsRoot));
  const proven = runSteps(toBlockReceipts(read, given));
  if (transactions === undefined) return proven;
  checkTransactions(transactions, proven);
  return proven.map((receipt, i) => joinReceipt(receipt, transactions[i] as BlockTransaction));
}
