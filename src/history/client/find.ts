/** Blocks and transactions by their hashes: the server says where they stand, and that they stand there is proven. */
import { decodeHex, encodeHex, equalBytes, type Hex } from '../../bytes.js';
import { createReader, nullable } from '../../foreign/reader.js';
import { hashTransaction, type RlpTransaction } from '../../mpt/transaction.js';
import { unread } from '../../rpc/nodeClient.js';
import { checkAnswer, HistoryError } from '../verify/errors.js';
import { type ProvenHeader, readHeader } from '../verify/headers.js';
import type { Archive } from './archive.js';
import type { ProvenChain } from './chain.js';
import type { Work } from './work.js';

const { openObject, read, asNumber } = createReader(
  (path, reason, { cause } = {}) =>
    new HistoryError('BAD_ANSWER', `"${path}" ${reason}`, { path, cause }),
);
const readBlockNumber = nullable(asNumber(53));

/** Nothing proves that there is no such thing. */
const notThere = (what: string, hash: Hex): HistoryError =>
  new HistoryError(
    'NOT_PROVEN',
    `the server has no ${what} ${hash}, which nothing proves; ask another, or ask again later`,
  );

/** The place of a transaction in a block. */
export interface Found {
  readonly header: ProvenHeader;
  readonly transactions: readonly RlpTransaction[];
  readonly index: number;
}

interface Finder {
  /** @throws HistoryError `NOT_PROVEN` and others; RpcError */
  block(hash: Hex, work: Work): Promise<ProvenHeader>;
  /** @throws as `block` */
  transaction(hash: Hex, work: Work): Promise<Found>;
}

export function openFinder(chain: ProvenChain, archive: Archive): Finder {
  async function block(hash: Hex, work: Work): Promise<ProvenHeader> {
    const wanted = new Uint8Array(32);
    decodeHex(hash, 32, wanted);
    const answer = await archive.node(work.signal).block({ blockHash: hash }, unread);
    if (answer === null) throw notThere('block', hash);
    // It is that block, of whatever chain.
    const { number } = checkAnswer(() => readHeader(answer, wanted, 'block'));
    const header = await chain.header(number, work);
    if (equalBytes(header.hash, wanted)) return header;
    throw new HistoryError(
      'NOT_PROVEN',
      `block ${hash} is none of this chain: block ${number} is ${encodeHex(header.hash)}`,
    );
  }

  async function transaction(hash: Hex, work: Work): Promise<Found> {
    const number = await archive.node(work.signal).transaction(hash, (answer) => {
      if (answer === null) throw notThere('transaction', hash);
      return read(openObject(answer, 'transaction'), 'blockNumber', readBlockNumber);
    });
    if (number === undefined) {
      throw new HistoryError('NOT_PROVEN', `the transaction ${hash} is in no block yet`);
    }
    const header = await chain.header(number, work);
    const { transactions } = await archive.body(header, work);
    for (const [index, one] of transactions.entries()) {
      if (encodeHex(hashTransaction(one)) === hash) return { header, transactions, index };
      await work.tick();
    }
    throw new HistoryError(
      'NOT_PROVEN',
      `the server names block ${number}, which has no transaction ${hash}; ask another`,
    );
  }

  return { block, transaction };
}
