/** Asks many contracts in one call through Multicall3, on the chains that have it. */
import type { AbiCall } from '../../abi/call.js';
import { decodeAggregate, encodeAggregate, multicall3 } from '../../abi/multicall.js';
import { RpcError } from '../../rpc/index.js';
import type { DecoderNode } from './node.js';

/** Ms after which a chain without Multicall3 is asked for it again. */
const multicallPause = 600_000;

/** Whether a node refused: its message may be about a contract that failed, or burnt all gas. */
export const isServerError = (error: unknown): boolean =>
  error instanceof RpcError && error.code === 'SERVER_ERROR';

/** An answer; undefined if the node refused. @throws any other error of asking */
export async function unlessServerError<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isServerError(error)) return undefined;
    throw error;
  }
}

/** Where the calls are made, and how long the answer to all of them may be. */
interface CallBounds {
  /** Undefined: the newest block. */
  readonly block: number | undefined;
  readonly maxBytes: number;
}

/**
 * The results of the calls, null for one that failed; undefined if the chain has no Multicall3, or the call as a whole
 * failed.
 *
 * @throws RpcError if the node does not answer
 */
type Multicall = (
  calls: readonly AbiCall[],
  bounds: CallBounds,
) => Promise<(Uint8Array | null)[] | undefined>;

export function createMulticall(node: Pick<DecoderNode, 'callAt'>): Multicall {
  let missingUntil = Number.NEGATIVE_INFINITY;
  return async (calls, bounds) => {
    if (performance.now() < missingUntil) return undefined;
    const data = encodeAggregate(calls);
    const answer = await unlessServerError(node.callAt({ to: multicall3, data, ...bounds }));
    if (answer?.length === 0) missingUntil = performance.now() + multicallPause;
    return answer && decodeAggregate(answer, calls.length);
  };
}
