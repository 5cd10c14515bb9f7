/** Where a message is: its block, and the blocks that were finalized with it. */
import { finalizedBelow, type HintSource } from '../anchor/hints.js';
import type { Hex } from '../bytes.js';
import { wordFor } from '../errors.js';
import { parseQuantity } from '../foreign/values.js';
import { type History, HistoryError } from '../history/index.js';
import { RpcError } from '../rpc/index.js';
import { unread } from '../rpc/nodeClient.js';
import { MessageError } from './errors.js';
import { messageTopics, readMessages, readReceiptMessages, type SentMessage } from './logs.js';
import { type BlockRange, listMessages, type MessageWork, namedMessages } from './named.js';

/** A message, and whether it is proven that the transaction which was named has sent it; undefined if none was. */
export interface FoundMessage {
  readonly sent: SentMessage;
  readonly isOfTransaction: boolean | undefined;
}

/** Whether nobody could say: nothing was refused. */
const isUndecided = (error: unknown): boolean =>
  error instanceof RpcError ||
  (error instanceof HistoryError && ['TOO_NEW', 'TOO_OLD', 'NO_BLOCK_HASHES'].includes(error.code));

/** The message of a transaction. @throws MessageError, HistoryError, RpcError, errors of the proofs */
export async function findInTransaction(
  work: MessageWork,
  transaction: Hex,
  history: History,
): Promise<FoundMessage> {
  const { node, signal } = work;
  const receipt = await node.receipt(transaction, unread);
  if (receipt === null) {
    const text = `the L2 node has no transaction ${transaction}`;
    throw new MessageError('NOT_FOUND', text, { assumed: ['absence'] });
  }
  const named = await readReceiptMessages(receipt, 'result', work);
  const proven = await history.receipt(transaction, { signal }).catch((error) => {
    signal?.throwIfAborted();
    if (!isUndecided(error)) throw error;
  });
  const all = proven ? await readMessages(proven.logs, 'logs', work) : named;
  const [sent, ...others] = all;
  if (sent === undefined) {
    const text = `the transaction ${transaction} has sent no message`;
    throw new MessageError('NOT_FOUND', text, { assumed: proven ? [] : ['absence'] });
  }
  if (others.length > 0) {
    const hashes = all.map(({ hash }) => hash).join(', ');
    const text = `the transaction ${transaction} has sent ${all.length} messages; name one of ${hashes}`;
    throw new MessageError('SEVERAL_MESSAGES', text);
  }
  return { sent, isOfTransaction: proven !== undefined };
}

/** The blocks that a message is looked for in. @throws MessageError `TOO_MANY_BLOCKS`, RpcError */
export async function rangeOf(
  { node }: MessageWork,
  { fromBlock, toBlock }: { fromBlock: number | undefined; toBlock: number | undefined },
  maxBlocks: number,
): Promise<BlockRange> {
  const to =
    toBlock ??
    (await node.blockNumber((answer) => {
      const number = parseQuantity(answer, 53);
      if (number !== undefined) return Number(number);
      throw new MessageError('BAD_ANSWER', 'the L2 node answers no block number');
    }));
  const from = fromBlock ?? Math.max(0, to - maxBlocks + 1);
  checkRangeWidth({ from, to }, maxBlocks);
  return { from, to };
}

/** @throws MessageError `TOO_MANY_BLOCKS` */
export function checkRangeWidth({ from, to }: BlockRange, maxBlocks: number): void {
  const count = to - from + 1;
  if (count <= maxBlocks) return;
  const text = `${count} L2 blocks, ${from} to ${to}, are more than ${wordFor('maxBlocks', '"maxBlocks"')}, ${maxBlocks}`;
  throw new MessageError('TOO_MANY_BLOCKS', text);
}

/** The message of a hash, as the node names it, newest block first; undefined if it names none. */
export async function findByHash(
  work: MessageWork,
  hash: Hex,
  range: BlockRange,
): Promise<SentMessage | undefined> {
  for await (const piece of namedMessages(work, range, { part: 'search', hash })) {
    const sent = piece.find((one) => one.hash === hash);
    // Where it says to be decides what is read next.
    if (sent && sent.block >= range.from && sent.block <= range.to) return sent;
  }
  return undefined;
}

/**
 * The finalization of a block, as L1's events name it. If they are false, L1 has no root of its messages.
 *
 * @returns undefined if the events name none
 */
export async function findFinalization(
  hints: HintSource,
  block: number,
  signal: AbortSignal | undefined,
): Promise<BlockRange | undefined> {
  let last: number | undefined;
  for await (const end of finalizedBelow(hints, Number.MAX_SAFE_INTEGER, signal)) {
    if (end < block) return last === undefined ? undefined : { from: end + 1, to: last };
    last = end;
  }
  return undefined;
}

/** The messages of a range in proven logs. @param hash only this one @throws HistoryError, RpcError, errors of the proofs */
export async function provenMessages(
  work: MessageWork,
  { from, to }: BlockRange,
  { history, hash }: { readonly history: History; readonly hash: Hex | undefined },
): Promise<SentMessage[]> {
  const { service, signal, onProgress } = work;
  const logs = await history.logs(
    { fromBlock: from, toBlock: to, address: service, topics: messageTopics(hash) },
    { signal, onProgress: (progress) => onProgress?.({ part: 'proof', ...progress }) },
  );
  return readMessages(logs, 'logs', work);
}

/**
 * All messages of a range, from proven logs: none is left out, put in or moved. Those of its end which no state proves yet
 * are as the node names them.
 *
 * @throws HistoryError, RpcError, errors of the proofs
 */
export async function proveMessages(
  work: MessageWork,
  { from, to }: BlockRange,
  history: History,
): Promise<{ list: SentMessage[]; provenTo: number }> {
  const { kind, l2BlockNumber } = await history.anchor({ signal: work.signal });
  // A root proves the headers of earlier blocks alone.
  const provenTo = Math.min(to, kind === 'header' ? l2BlockNumber : l2BlockNumber - 1);
  let list: SentMessage[] = [];
  if (provenTo >= from) {
    list = await provenMessages(work, { from, to: provenTo }, { history, hash: undefined });
  }
  if (provenTo < to) {
    // Not as arguments of a call: there may be more than it takes.
    list = [...list, ...(await listMessages(work, { from: Math.max(from, provenTo + 1), to }))];
  }
  return { list, provenTo };
}
