/** Whether all logs of a block came. A node behind a load balancer that is behind the others answers without them. */
import type { Node } from '../../follow/node/node.js';
import type { NodeHeader } from '../../follow/node/system.js';
import { hexBytes } from '../../foreign/values.js';
import { bitsOf, mayHave } from '../../mpt/bloom.js';
import { Changes } from '../layout/changes.js';
import { topics } from './events.js';
import { headersAtOnce, type LogFetch } from './fetchLogs.js';
import type { AskedBlocks, LogReader } from './logs.js';
import { logsLeftOut } from './wholeReceipts.js';

/** The topics that the index asks for, with their bits in a bloom. */
const wanted = Object.values(topics).map(
  (topic) => [topic, bitsOf(hexBytes(topic, 32) as Uint8Array)] as const,
);

/** Whether one of these topics is wanted. */
const wantedIn = (found: ReadonlySet<string>): boolean =>
  [...found].some((topic) => wanted.some(([one]) => one === topic.toLowerCase()));

/**
 * Whether a block may have logs of a wanted topic of which none came.
 *
 * @param hasCome whether one of a topic came, which is in lower case
 */
export function mayLack(
  { logsBloom }: Pick<NodeHeader, 'logsBloom'>,
  hasCome: (topic: string) => boolean,
): boolean {
  if (logsBloom === undefined) return false;
  return wanted.some(([topic, bits]) => mayHave(logsBloom, bits) && !hasCome(topic));
}

/** @param node and how the logs of a whole block are added */
export function createCompleteness({
  node,
  addReceipts,
}: { node: Pick<Node, 'header'> } & Pick<LogFetch, 'addReceipts'>) {
  async function headerOf(block: number): Promise<NodeHeader> {
    const header = await node.header(block);
    if (header === undefined) throw logsLeftOut(block, 'it does not have the block');
    return header;
  }

  async function wholeOf(header: NodeHeader, changes: Changes): Promise<LogReader> {
    const reader = await addReceipts(header, changes);
    if (reader === undefined) throw logsLeftOut(header.number, 'it names another block each time');
    return reader;
  }

  return {
    /** Adds all logs of a final block. @throws FollowError `NODE_FAILED` if the node never gives them all */
    addWhole: async (block: number, changes: Changes) => wholeOf(await headerOf(block), changes),

    /**
     * The first block of which the node left out logs that the index needs. Only blocks of which nothing came are looked
     * at: to ask for the header of every block would take several times as long as all the rest.
     *
     * @returns undefined if there is none
     */
    async firstLeftOut(
      { blocks }: LogReader,
      { from, to }: AskedBlocks,
    ): Promise<number | undefined> {
      for (let at = from; at <= to; ) {
        const part: number[] = [];
        for (; at <= to && part.length < headersAtOnce; at++) if (!blocks.has(at)) part.push(at);
        for (const header of await Promise.all(part.map(headerOf))) {
          if (!mayLack(header, () => false)) continue;
          const found = await wholeOf(header, new Changes());
          if (wantedIn(found.topics)) return header.number;
        }
      }
      return undefined;
    },
  };
}
