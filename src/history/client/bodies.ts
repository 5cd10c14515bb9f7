/** Transactions, withdrawals and receipts of blocks whose headers are proven. */
import { encodeHex } from '../../bytes.js';
import { mapConcurrently } from '../../concurrent.js';
import { nullable, type ValueReader } from '../../foreign/reader.js';
import { entryBytes, LruCache } from '../../lru.js';
import { emptyTrieRoot, encodeRlp, type Item } from '../../mpt/encode.js';
import { read, readObject } from '../../mpt/forms.js';
import { toInteger } from '../../mpt/text.js';
import { hashTransaction, type RlpTransaction } from '../../mpt/transaction.js';
import { withdrawal } from '../../mpt/withdrawal.js';
import { unread } from '../../rpc/nodeClient.js';
import { lacksMethod } from '../../rpc/noMethod.js';
import { SharedWork } from '../../sharedWork.js';
import { runStepsInTurns, type Steps } from '../../steps.js';
import { checkAnswer, HistoryError, wrongList } from '../verify/errors.js';
import type { ProvenHeader } from '../verify/headers.js';
import { readProvenList } from '../verify/list.js';
import {
  type BloomedReceipt,
  checkReceipts,
  readBloomedReceipt,
  readReceipts,
} from '../verify/receipts.js';
import { readTransactions } from '../verify/transactions.js';
import { type HistoryServer, heldBack } from './server.js';
import { type Work, whileAsked } from './work.js';

/** The transactions and withdrawals of a block. */
export interface Body {
  readonly transactions: readonly RlpTransaction[];
  /** Undefined before Shanghai. */
  readonly withdrawals: readonly Item[] | undefined;
}

/** Receipts that are asked for at once, of a server that gives them one by one. */
const receiptsAtOnce = 8;

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

/** Bytes that receipts take in memory for a unit of gas, at most: a log's take most, 2.2 of them. */
const keptBytesPerGas = 3;

const gasOf = ({ values }: ProvenHeader): number =>
  Number(toInteger(values.get('gasUsed') as Uint8Array));

/** Bytes that the receipts of a block can take in memory. */
const mostKept = (header: ProvenHeader): number => leastBytes + keptBytesPerGas * gasOf(header);

/** Longest list of a block, in bytes: a server that lies is read no further than the gas in the header pays for. */
function longestList(header: ProvenHeader): number {
  const blobGas = Number(toInteger(header.values.get('blobGasUsed') ?? new Uint8Array(0)));
  return Math.min(leastBytes + bytesPerGas * gasOf(header) + bytesPerBlobGas * blobGas, mostBytes);
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

/** What was verified, under the root that it rebuilds. What is asked for by several at once is asked and verified once. */
function openKept<T>(sizeOf: (value: T) => number) {
  const kept = new LruCache<string, T>(maxBytes, sizeOf);
  const shared = new SharedWork<string, T>();
  return {
    async get(key: string, { signal }: Work, find: (work: Work) => Promise<T>): Promise<T> {
      const known = kept.get(key);
      if (known !== undefined) return known;
      return shared.run(key, signal, async (own) => {
        const found = await whileAsked(own, find);
        kept.set(key, found);
        return found;
      });
    },
  };
}

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

export function openBodies(server: HistoryServer) {
  const keptBodies = openKept<Body>(sizeOfBody);
  const keptReceipts = openKept<readonly BloomedReceipt[]>(sizeOfReceipts);
  /** Whether the server gives the receipts of a block at once, as far as is known. */
  let hasBlockReceipts = true;
  const nameOf = ({ number, hash }: ProvenHeader) =>
    server.nameOf({ number, hash: encodeHex(hash) });

  async function askBody(header: ProvenHeader, { signal, tick }: Work): Promise<Body> {
    const { transactions: root, withdrawals: withdrawalsRoot } = rootsOf(header);
    const { number } = header;
    // Nothing is asked for that is proven to be empty.
    const isEmpty = root === emptyRoot && (withdrawalsRoot ?? emptyRoot) === emptyRoot;
    const lists = isEmpty
      ? { transactions: [], withdrawals: [] }
      : await server
          .ask(signal)
          .wholeBlock(
            nameOf(header),
            (answer, at) => checkAnswer(() => readLists(answer, at)),
            longestList(header),
          );
    if (lists === undefined) throw heldBack('block', number);
    const transactions = await runStepsInTurns(readTransactions(lists.transactions, root), tick);
    if (withdrawalsRoot === undefined) return { transactions, withdrawals: undefined };
    const name = { name: 'withdrawals', root: withdrawalsRoot } as const;
    const steps = readProvenList(lists.withdrawals ?? [], name, parseWithdrawal, encodeRlp);
    return { transactions, withdrawals: await runStepsInTurns(steps, tick) };
  }

  /** @throws HistoryError, RpcError */
  function body(header: ProvenHeader, work: Work): Promise<Body> {
    const { transactions, withdrawals } = rootsOf(header);
    return keptBodies.get(`${transactions} ${withdrawals}`, work, (own) => askBody(header, own));
  }

  /** The receipts by their transactions, for servers that do not give those of a block at once. */
  async function askEach(header: ProvenHeader, work: Work): Promise<BloomedReceipt[]> {
    const { receipts: root } = rootsOf(header);
    const { transactions } = await body(header, work);
    const client = server.ask(work.signal);
    const maxBytes = longestList(header);
    let size = 0;
    const receipts = await mapConcurrently(transactions, receiptsAtOnce, async (transaction) => {
      const hash = encodeHex(hashTransaction(transaction));
      const answer = await client.receipt(hash, unread, maxBytes);
      if (answer === null) throw heldBack('receipts of block', header.number);
      const receipt = await runStepsInTurns(readBloomedReceipt(answer), work.tick);
      // A server that lies could fill the memory: each of them may be as long as all may be together.
      size += sizeOfReceipts([receipt]);
      if (size > mostKept(header)) throw wrongList('receipts', root);
      return receipt;
    });
    await runStepsInTurns(checkReceipts(receipts, root), work.tick);
    return receipts;
  }

  async function askReceipts(header: ProvenHeader, work: Work): Promise<BloomedReceipt[]> {
    const { receipts: root } = rootsOf(header);
    if (root === emptyRoot) return [];
    if (!hasBlockReceipts) return askEach(header, work);
    let answer: unknown;
    try {
      answer = await server.ask(work.signal).receipts(nameOf(header), unread, longestList(header));
    } catch (error) {
      if (!lacksMethod(error)) throw error;
      hasBlockReceipts = false;
      return askEach(header, work);
    }
    if (answer === null) throw heldBack('receipts of block', header.number);
    return runStepsInTurns(readReceipts(answer, root), work.tick);
  }

  return {
    body,
    /** @throws HistoryError, RpcError */
    receipts: (header: ProvenHeader, work: Work): Promise<readonly BloomedReceipt[]> =>
      keptReceipts.get(rootsOf(header).receipts, work, (own) => askReceipts(header, own)),
  };
}
