/** Messages by the word of an L2 node. It can leave out, add or reorder: what its list is worth is for L1's root to say. */
import { isRefusal } from '../anchor/hints.js';
import type { Hex } from '../bytes.js';
import { type NodeClient, unread } from '../rpc/nodeClient.js';
import { type MessageReading, messageTopics, readMessages, type SentMessage } from './logs.js';
import type { MessageProgress } from './types.js';

/** Blocks, the last one included. */
export interface BlockRange {
  readonly from: number;
  readonly to: number;
}

/** One question, while it is worked on. */
export interface MessageWork extends MessageReading {
  readonly node: NodeClient;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: MessageProgress) => void) | undefined;
}

/** Blocks in the first piece that is asked for; refused pieces are halved. */
const widestPiece = 5000;

/**
 * The messages of a range that the node names, from the newest piece down; each piece in the order of its logs.
 *
 * @param hash only this one
 * @throws MessageError `BAD_ANSWER`, RpcError, the signal's reason
 */
export async function* namedMessages(
  work: MessageWork,
  { from, to }: BlockRange,
  { part, hash }: { readonly part: MessageProgress['part']; readonly hash?: Hex },
): AsyncGenerator<SentMessage[]> {
  const { node, service, signal, onProgress } = work;
  const total = to - from + 1;
  let width = widestPiece;
  let end = to;
  while (end >= from) {
    const begin = Math.max(from, end - width + 1);
    let found: SentMessage[];
    try {
      const range = { from: begin, to: end };
      const filter = { address: service, range, topics: messageTopics(hash) };
      found = await readMessages(await node.logs(filter, unread), 'result', work);
    } catch (error) {
      signal?.throwIfAborted();
      if (!isRefusal(error) || begin === end) throw error;
      width = Math.ceil((end - begin + 1) / 2);
      continue;
    }
    onProgress?.({ part, checked: to - begin + 1, total });
    yield found;
    end = begin - 1;
  }
}

/** All messages of a range that the node names, the oldest first. @throws as {@link namedMessages} */
export async function listMessages(work: MessageWork, range: BlockRange): Promise<SentMessage[]> {
  const pieces: SentMessage[][] = [];
  for await (const piece of namedMessages(work, range, { part: 'list' })) pieces.push(piece);
  return pieces.reverse().flat();
}
