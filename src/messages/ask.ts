/** One question about a message, from the L2 node that names it to L1 that says what became of it. */
import { openRoots } from '../anchor/fetchAnchor.js';
import { checkAnchorOptions } from '../anchor/options.js';
import type { RootSource } from '../anchor/source.js';
import type { Hex } from '../bytes.js';
import type { History } from '../history/index.js';
import { callL2 } from '../rpc/caller.js';
import { createNodeClient, toAskNode } from '../rpc/nodeClient.js';
import { createTurns } from '../turns.js';
import { MessageError } from './errors.js';
import { judge, type Verdict } from './judge.js';
import type { SentMessage } from './logs.js';
import { type BlockRange, listMessages, type MessageWork } from './named.js';
import type { MessagesParts } from './options.js';
import type { MessageQuery } from './question.js';
import {
  checkRangeWidth,
  type FoundMessage,
  findByHash,
  findFinalization,
  findInTransaction,
  proveMessages,
  provenMessages,
  rangeOf,
} from './search.js';
import type { AssumedOfMessage, MessageStatus } from './types.js';

/** The sources of answers. */
export interface MessageSources extends MessagesParts {
  readonly history: History;
  /** Walks to no block: of a transaction further back it would prove no more than its place, in thousands of requests. */
  readonly nearHistory: History;
}

/** The outcome of a question: the status, and the tree of the message if L1 has its root. */
export interface Outcome {
  readonly status: MessageStatus;
  readonly found: Verdict['found'];
}

/** @returns the range if it is proven that the blocks which the caller names have no such message */
async function find(
  sources: MessageSources,
  work: MessageWork,
  { subject, fromBlock, toBlock }: MessageQuery,
): Promise<FoundMessage | BlockRange> {
  if ('transaction' in subject) {
    return findInTransaction(work, subject.transaction, sources.nearHistory);
  }
  const { hash } = subject;
  const range = await rangeOf(work, { fromBlock, toBlock }, sources.maxBlocks);
  const isNamed = fromBlock !== undefined && toBlock !== undefined;
  const sent =
    (await findByHash(work, hash, range)) ??
    (isNamed
      ? (await provenMessages(work, range, { history: sources.history, hash }))[0]
      : undefined);
  if (sent) return { sent, isOfTransaction: undefined };
  if (isNamed) return range;
  throw new MessageError(
    'NOT_FOUND',
    `the L2 node names no message ${hash} in the blocks ${range.from} to ${range.to}`,
    { assumed: ['absence'] },
  );
}

/**
 * Asks L1 with the list that the node names. A root that L1 has proves that list: nothing else hashes to it. If L1 has none,
 * it is asked once more with a list of proven logs.
 */
async function judgeSent(
  { network, maxBlocks, history }: MessageSources,
  work: MessageWork,
  { source, sent }: { source: RootSource; sent: SentMessage },
): Promise<Verdict> {
  const { block, hash } = sent;
  const range = await findFinalization(source.hints, block, work.signal);
  if (range === undefined) return judge(source, network, { ...sent, list: [] });
  checkRangeWidth(range, maxBlocks);
  const named = await listMessages(work, range);
  const verdict = await judge(source, network, { ...sent, list: named });
  if (verdict.found || verdict.finalizedBlock < block) return verdict;
  const { list, provenTo } = await proveMessages(work, range, history);
  if (block <= provenTo && !list.some((one) => one.hash === hash)) {
    const text = `the L2 node names a message in block ${block} that the proven logs do not have`;
    throw new MessageError('BAD_ANSWER', text);
  }
  const isSame = list.map((one) => one.hash).join() === named.map((one) => one.hash).join();
  return isSame ? verdict : judge(source, network, { ...sent, list });
}

function startWork(
  { l2, service }: MessageSources,
  { signal, onProgress }: MessageQuery,
): MessageWork {
  const node = createNodeClient(
    toAskNode((method, params, maxBytes) => callL2(l2, method, params, signal, { maxBytes })),
  );
  const turns = createTurns(() => signal?.throwIfAborted());
  return { node, service, signal, onProgress, ...turns };
}

/** Answers a question. @throws MessageError, AnchorError, HistoryError, RpcError, errors of the proofs, the signal's reason */
export async function ask(sources: MessageSources, question: MessageQuery): Promise<Outcome> {
  const { subject, signal } = question;
  signal?.throwIfAborted();
  const work = startWork(sources, question);
  const source = await openRoots(checkAnchorOptions({ ...sources.l1Options, signal }));
  const { l1, how } = source;
  const found = await find(sources, work, question);
  if (!('sent' in found)) {
    const { hash } = subject as { hash: Hex };
    const status = { status: 'unknown', hash, blocks: found, l1, how, assumed: [] } as const;
    return { status, found: undefined };
  }
  const { sent, isOfTransaction } = found;
  const verdict = await judgeSent(sources, work, { source, sent });
  const { isClaimed, finalizedBlock } = verdict;
  const assumed: AssumedOfMessage[] = isOfTransaction === false ? ['transaction'] : [];
  const known = {
    ...{ hash: sent.hash, message: sent.message, l2BlockNumber: sent.block },
    ...{ finalizedBlock, l1, how },
  };
  if (verdict.found) {
    const { depth, tree } = verdict.found;
    const status = isClaimed ? 'claimed' : 'claimable';
    return { status: { status, ...known, root: tree.root, depth, assumed }, found: verdict.found };
  }
  if (finalizedBlock < sent.block) {
    const status = { status: 'pending', ...known, assumed: [...assumed, 'inclusion'] } as const;
    return { status, found: undefined };
  }
  throw new MessageError(
    'NOT_PROVABLE',
    `L1 holds no root of the messages that were finalized with L2 block ${sent.block}, as its events and the L2 node name them`,
  );
}
