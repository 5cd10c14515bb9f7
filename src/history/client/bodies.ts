/** Transactions, withdrawals and receipts of blocks whose headers are proven. */
import { encodeHex, type Hex } from '../../bytes.js';
import { nullable, type ValueReader } from '../../foreign/reader.js';
import { entryBytes, LruCache } from '../../lru.js';
import { emptyTrieRoot, encodeRlp, type Item } from '../../mpt/encode.js';
import { read, readObject } from '../../mpt/forms.js';
import { toInteger } from '../../mpt/text.js';
import type { Transaction } from '../../mpt/transaction.js';
import { withdrawal } from '../../mpt/withdrawal.js';
import { unread } from '../../rpc/nodeClient.js';
import { runStepsInTurns, type Steps } from '../../steps.js';
import { checkAnswer, HistoryError } from '../verify/errors.js';
import type { ProvenHeader } from '../verify/headers.js';
import { readList } from '../verify/list.js';
import { type BloomedReceipt, readReceipts } from '../verify/receipts.js';
import { readTransactions } from '../verify/transactions.js';
import { type AskServer, heldBack } from './server.js';
import type { Work } from './work.js';

/** The transactions and withdrawals of a block. */
export interface Body {
  readonly transactions: readonly Transaction[];
  /** Undefined before Shanghai. */
  readonly withdrawals: readonly Item[] | undefined;
}

/** Bytes of transactions that are kept, and as many of receipts. */
const maxBytes = 32 * 1024 * 1024;

/** The root of an empty list. */
const emptyRoot = encodeHex(emptyTrieRoot);

/** Bytes of JSON that a unit of gas pays for, at most, with room for white space: a log's take most, 2.7 of them. */
const bytesPerGas = 12;
/** The same of gas for blobs: Anvil answers those, too. */
const bytesPerBlobGas = 3;
const leastBytes = 256 * 1024;
const mostBytes = 16 * 1024 * 1024;

/** Longest list of a block, in bytes: a server that lies is read no further than the gas in the header pays for. */
function longestList({ values }: ProvenHeader): number {
  const gas = Number(toInteger(values.get('gasUsed') as Uint8Array));
  const blobGas = Number(toInteger(values.get('blobGasUsed') ?? new Uint8Array(0)));
  return Math.min(leastBytes + bytesPerGas * gas + bytesPerBlobGas * blobGas, mostBytes);
}

function rootsOf({ values }: ProvenHeader) {
  const of = (name: 'transactionsRoot' | 'receiptsRoot') =>
    encodeHex(values.get(name) as Uint8Array);
  const withdrawals = values.get('withdrawalsRoot');
  return {
    transactions: of('transactionsRoot'),
    receipts: of('receiptsRoot'),
    withdrawals: withdrawals && encodeHex(withdrawals),
  };
}

/** The lists of a block, unread; undefined if the server has no such block. */
const readLists: ValueReader<{ transactions: unknown; withdrawals: unknown } | undefined> = (
  answer,
  at,
) => {
  if (answer === null) return undefined;
  const block = readObject(answer, at);
  return {
    transactions: read(block, 'transactions', unread),
    withdrawals: read(block, 'withdrawals', nullable(unread)),
  };
};

function* parseWithdrawal(value: unknown, at: string): Steps<Item> {
  yield;
  return withdrawal.parse(value, at);
}

/** Estimates of what is kept, in bytes. */
const sizeOfBody = ({ transactions, withdrawals = [] }: Body): number =>
  transactions.reduce(
    (sum, { covered }) => sum + 2000 + 2 * covered.length,
    entryBytes + 500 * withdrawals.length,
  );
const sizeOfReceipts = (receipts: readonly BloomedReceipt[]): number =>
  receipts.reduce(
    (sum, { logs }) => logs.reduce((part, { data }) => part + 800 + data.length, sum + 1000),
    entryBytes,
  );

/**
 * Refuses a block that has not one receipt for each transaction. Both lists hold against its header, so a server alone cannot
 * make such a block, but who builds the blocks can.
 */
export function checkPairs(
  { number }: ProvenHeader,
  { transactions, receipts }: { transactions: readonly unknown[]; receipts: readonly unknown[] },
): void {
  if (receipts.length === transactions.length) return;
  throw new HistoryError(
    'WRONG_RECEIPTS',
    `block ${number} has ${receipts.length} receipts and ${transactions.length} transactions`,
  );
}

export function openBodies(node: AskServer) {
  const bodies = new LruCache<string, Body>(maxBytes, sizeOfBody);
  const receiptLists = new LruCache<Hex, readonly BloomedReceipt[]>(maxBytes, sizeOfReceipts);

  async function askBody(header: ProvenHeader, { signal, tick }: Work): Promise<Body> {
    const { transactions: root, withdrawals: withdrawalsRoot } = rootsOf(header);
    const { number } = header;
    // What is proven to be empty need not be asked for.
    const isEmpty = root === emptyRoot && (withdrawalsRoot ?? emptyRoot) === emptyRoot;
    const lists = isEmpty
      ? { transactions: [], withdrawals: [] }
      : await node(signal).wholeBlock(
          number,
          (answer, at) => checkAnswer(() => readLists(answer, at)),
          longestList(header),
        );
    if (lists === undefined) throw heldBack('block', number);
    const transactions = await runStepsInTurns(readTransactions(lists.transactions, root), tick);
    if (withdrawalsRoot === undefined) return { transactions, withdrawals: undefined };
    const name = { name: 'withdrawals', root: withdrawalsRoot } as const;
    const steps = readList(lists.withdrawals ?? [], name, parseWithdrawal, encodeRlp);
    return { transactions, withdrawals: await runStepsInTurns(steps, tick) };
  }

  async function askReceipts(header: ProvenHeader, { signal, tick }: Work) {
    const { receipts: root } = rootsOf(header);
    if (root === emptyRoot) return [];
    const answer = await node(signal).receipts(header.number, unread, longestList(header));
    if (answer === null) throw heldBack('receipts of block', header.number);
    return runStepsInTurns(readReceipts(answer, root), tick);
  }

  return {
    /** @throws HistoryError, RpcError */
    async body(header: ProvenHeader, work: Work): Promise<Body> {
      const { transactions, withdrawals } = rootsOf(header);
      const key = `${transactions} ${withdrawals}`;
      const kept = bodies.get(key);
      if (kept) return kept;
      const body = await askBody(header, work);
      bodies.set(key, body);
      return body;
    },
    /** @throws HistoryError, RpcError */
    async receipts(header: ProvenHeader, work: Work): Promise<readonly BloomedReceipt[]> {
      const { receipts: root } = rootsOf(header);
      const kept = receiptLists.get(root);
      if (kept) return kept;
      const receipts = await askReceipts(header, work);
      receiptLists.set(root, receipts);
      return receipts;
    },
  };
}
