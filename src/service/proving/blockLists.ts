/** Headers, transactions and receipts of blocks in the bytes that their hashes cover, each held against its hash or root. */
import { encodeHex, type Hex } from '../../bytes.js';
import { mapConcurrently } from '../../concurrent.js';
import { ShapeError } from '../../errors.js';
import { hexToBytes } from '../../foreign/argument.js';
import { createReader } from '../../foreign/reader.js';
import { HistoryError } from '../../history/verify/errors.js';
import { checkHeaderNumber, type ProvenHeader, readHeader } from '../../history/verify/headers.js';
import { readReceipts } from '../../history/verify/receipts.js';
import { readTransactions } from '../../history/verify/transactions.js';
import { TrieError, UnknownFieldError } from '../../mpt/errors.js';
import { encodeReceipt } from '../../mpt/receipt.js';
import { type NodeClient, unlessNull, unread } from '../../rpc/nodeClient.js';
import { lacksMethod } from '../../rpc/noMethod.js';
import { runStepsInTurns } from '../../steps.js';
import { NodeError } from '../chain/errors.js';
import { nonsense } from '../chain/node.js';
import type { Pause } from '../jsonrpc/method.js';

const { readObject, read, asHex, asList } = createReader(nonsense);
const readHash = asHex(32);

/** Receipts that are asked for at once, of a node that gives them one by one. */
const receiptsAtOnce = 8;

/** A block whose header was held against its hash. */
export interface KnownBlock {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Of all its logs, 256 bytes. */
  readonly bloom: Uint8Array;
  /** RLP. */
  readonly encoded: Hex;
  readonly transactionsRoot: Hex;
  readonly receiptsRoot: Hex;
  /** Hashes of its transactions, as the node says. */
  readonly hashes: readonly Hex[];
}

/** The form of a block that this version cannot encode: it may be right, but cannot be proven here. */
function isUnknownForm(error: unknown): boolean {
  if (error instanceof HistoryError) return error.code === 'UNKNOWN_TYPE';
  return error instanceof UnknownFieldError;
}

/**
 * Runs checks of the node's answers.
 *
 * @returns undefined for a form that this version does not know
 * @throws NodeError for an answer that its hash or root does not cover
 */
async function held<T>(number: number, check: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await check();
  } catch (cause) {
    if (isUnknownForm(cause)) return undefined;
    const isWrong = [HistoryError, ShapeError, TrieError].some((type) => cause instanceof type);
    if (!isWrong) throw cause;
    const text = `the L2 node's block ${number} is not the one whose hash is known`;
    throw new NodeError('BAD_ANSWER', text, { cause });
  }
}

const missing = (what: string, number: number) =>
  new NodeError('BAD_ANSWER', `the L2 node has no ${what} ${number}, and has later blocks`);

const hexOf = (
  { values }: ProvenHeader,
  name: 'parentHash' | 'transactionsRoot' | 'receiptsRoot',
): Hex => encodeHex(values.get(name) as Uint8Array);

/**
 * Asks for a block.
 *
 * @param hash that the state proves; undefined: the node's own word, of the block whose header is known to who asks
 * @returns undefined for a header of a form that is not known
 * @throws RpcError, NodeError
 */
export async function findBlock(
  node: NodeClient,
  number: number,
  hash: Hex | undefined,
): Promise<KnownBlock | undefined> {
  const answer = await node.block(number, unlessNull(unread));
  if (answer === undefined) throw missing('block', number);
  return held(number, () => {
    const source = readObject(answer, 'block');
    const own = hash ?? read(source, 'hash', readHash);
    const header = readHeader(answer, hexToBytes(own), 'block');
    checkHeaderNumber(header, number, 'block');
    return {
      number,
      hash: encodeHex(header.hash),
      parentHash: hexOf(header, 'parentHash'),
      bloom: header.values.get('logsBloom') as Uint8Array,
      encoded: encodeHex(header.encoded),
      transactionsRoot: hexOf(header, 'transactionsRoot'),
      receiptsRoot: hexOf(header, 'receiptsRoot'),
      hashes: read(source, 'transactions', asList(readHash)),
    };
  });
}

/** The transactions of a block, each encoded. @returns undefined for a type that is not known @throws RpcError, NodeError */
export async function findTransactions(
  node: NodeClient,
  { number, transactionsRoot }: KnownBlock,
  pause: Pause,
): Promise<readonly Hex[] | undefined> {
  const answer = await node.wholeBlock(number, unlessNull(unread));
  if (answer === undefined) throw missing('block', number);
  const list = read(readObject(answer, 'block'), 'transactions', unread);
  return held(number, async () => {
    const all = await runStepsInTurns(readTransactions(list, transactionsRoot), pause);
    return all.map(({ covered }) => encodeHex(covered));
  });
}

/** All receipts of a block, unread. */
async function askReceipts(node: NodeClient, { number, hashes }: KnownBlock): Promise<unknown> {
  try {
    return await node.receipts(number, unlessNull(unread));
  } catch (error) {
    if (!lacksMethod(error)) throw error;
    return mapConcurrently(hashes, receiptsAtOnce, (hash) => node.receipt(hash, unread));
  }
}

/** The receipts of a block, each encoded. @returns, throws as {@link findTransactions} */
export async function findReceipts(
  node: NodeClient,
  block: KnownBlock,
  pause: Pause,
): Promise<readonly Hex[] | undefined> {
  const { number, receiptsRoot } = block;
  const answer = await askReceipts(node, block);
  if (answer === undefined) throw missing('receipts of block', number);
  return held(number, async () => {
    const all = await runStepsInTurns(readReceipts(answer, receiptsRoot), pause);
    return all.map((receipt) => encodeHex(encodeReceipt(receipt, receipt.bloom)));
  });
}
