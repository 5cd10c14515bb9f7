/** Which block is final by the word of a node, and by its depth if the node knows no finality. */
import type { RpcError } from '../../rpc/index.js';
import { FollowError } from '../node/errors.js';
import type { Node } from '../node/node.js';

/** Blocks below the newest one that can be taken back if the node knows no finality. */
export const keptBlocks = 256;

/** The server code of a node that is asked too often. */
const tooOften = -32005;

/** Whether a node answered that it knows no such tag: older nodes have codes of their own for that. */
function isUnknownTag(error: unknown): boolean {
  if (!(error instanceof FollowError && error.code === 'NODE_FAILED')) return false;
  const { code, status, serverCode } = error.cause as RpcError;
  return code === 'SERVER_ERROR' ? serverCode !== tooOften : status === 400;
}

interface FinalityNodes {
  readonly node: Pick<Node, 'head' | 'finalized'>;
  /** Asks once: a node that knows no finality is not asked for it again and again. */
  readonly hasty: Pick<Node, 'finalized'>;
}

/** The finality of one node, over the sessions of a follower. */
export interface NodeFinality {
  /** The node that the finalizer asks. */
  of(nodes: FinalityNodes): Pick<Node, 'finalized'>;
}

/**
 * @param onWarning is told once of a node that knows no finality
 * @param fed what a deeper reorg ends, for that text
 */
export function createNodeFinality(onWarning: (text: string) => void, fed: string): NodeFinality {
  /** Whether the node has ever named a final block: then only its word counts. */
  let isKnown = false;
  let isTold = false;

  async function asked({ node, hasty }: FinalityNodes): Promise<number | undefined> {
    if (isKnown) return node.finalized();
    try {
      return await hasty.finalized();
    } catch (error) {
      return isUnknownTag(error) ? undefined : node.finalized();
    }
  }

  return {
    of: (nodes) => ({
      async finalized() {
        const final = await asked(nodes);
        if (final !== undefined) isKnown = true;
        if (isKnown) return final;
        if (!isTold) {
          onWarning(
            `the L2 node knows no finality: blocks count as final ${keptBlocks} below its newest, and a deeper reorg ends ${fed}`,
          );
        }
        isTold = true;
        const block = (await nodes.node.head()) - keptBlocks;
        return block >= 0 ? block : undefined;
      },
    }),
  };
}
