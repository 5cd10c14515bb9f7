/** The word of L1 on a message: one proof of the rollup contract's storage, for all that is to be known. */
import type { Network } from '../anchor/index.js';
import { type RootSource, readRollupSlots } from '../anchor/source.js';
import { bytesToInteger, type Hex } from '../bytes.js';
import { hexToBytes } from '../foreign/argument.js';
import { mappingSlot } from '../slots.js';
import { MessageError } from './errors.js';
import type { SentMessage } from './logs.js';
import { type MessageTree, toTree } from './trees.js';

/**
 * Highest tree that is tried. The depth comes from the prover of the rollup, 5 at present: it is not known before the root
 * is, so all of these are asked for at once.
 */
const highest = 12;

/** A tree that the message may be in. */
interface Candidate {
  readonly tree: MessageTree;
  readonly depth: number;
  readonly leafIndex: number;
}

/** What L1 says. */
export interface Verdict {
  /** The last L2 block that is finalized. */
  readonly finalizedBlock: number;
  /** Whether the message of this number is claimed. */
  readonly isClaimed: boolean;
  /** The tree of the message; undefined if L1 has the root of none. */
  readonly found: Candidate | undefined;
}

/** The trees that a message is in if these are all messages of its finalization; none if it is not among them. */
function candidatesOf(list: readonly SentMessage[], hash: Hex): Candidate[] {
  const place = list.findIndex((one) => one.hash === hash);
  if (place < 0) return [];
  const leaves = list.map((one) => hexToBytes(one.hash));
  return Array.from({ length: highest }, (_, i) => {
    const depth = i + 1;
    const width = 2 ** depth;
    const start = place - (place % width);
    return {
      tree: toTree(leaves.slice(start, start + width), depth),
      depth,
      leafIndex: place - start,
    };
  });
}

/**
 * Asks L1 about a message.
 *
 * @param list all messages of its finalization, in their order, as far as is known
 * @throws AnchorError, RpcError; MessageError `BAD_ANSWER`
 */
export async function judge(
  source: Pick<RootSource, 'prove'>,
  { slots }: Network,
  { hash, message, list }: Pick<SentMessage, 'hash' | 'message'> & { list: readonly SentMessage[] },
): Promise<Verdict> {
  const { messageNumber } = message;
  const candidates = candidatesOf(list, hash);
  const [current, bits, ...depths] = (await readRollupSlots(source, [
    slots.currentL2BlockNumber,
    mappingSlot(messageNumber >> 8n, slots.messageClaimedBitMap),
    ...candidates.map(({ tree }) => mappingSlot(tree.root, slots.l2MerkleRootsDepths)),
  ])) as [Uint8Array, Uint8Array, ...Uint8Array[]];
  const finalizedBlock = Number(bytesToInteger(current));
  if (!Number.isSafeInteger(finalizedBlock)) {
    throw new MessageError('BAD_ANSWER', 'L1 holds no block number in the slot of it');
  }
  return {
    finalizedBlock,
    isClaimed: ((bytesToInteger(bits) >> (messageNumber & 255n)) & 1n) === 1n,
    // A root counts at its own depth alone: at another, an inner node would pass for a leaf.
    found: candidates.find(
      ({ depth }, i) => bytesToInteger(depths[i] as Uint8Array) === BigInt(depth),
    ),
  };
}
