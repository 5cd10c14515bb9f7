/** Old blocks by the states of earlier finalizations: one proof in place of a long walk from parent to parent. */
import { AnchorError, type AnchoredRoot } from '../../anchor/index.js';
import { RpcError } from '../../rpc/index.js';

/**
 * Finds the root of the last finalization that ended before a block.
 *
 * @throws AnchorError, RpcError if L1 names none, or does not answer; the signal's reason
 */
export type FindAnchor = (before: number, signal: AbortSignal) => Promise<AnchoredRoot>;

/** Reads the hash of a block from the state of an anchored one; undefined if it holds none. */
export type ReadHash = (
  anchor: AnchoredRoot,
  number: number,
  signal: AbortSignal,
) => Promise<Uint8Array | undefined>;

/** Blocks that are rather walked than looked for on L1, which takes some requests, too. */
const shortWalk = 512;

/**
 * Gives what finds the hash of an old block, or undefined: L1 names no finalization near enough, or the server proves nothing there.
 *
 * @param oldest the oldest block that the anchored state itself names
 * @param reach blocks that a state names
 */
export function openEarlier(
  findAnchor: FindAnchor | undefined,
  { oldest, reach, readHash }: { oldest: number; reach: number; readHash: ReadHash },
) {
  /** The newest block that was not found so: a server that lacks a state lacks those before it, too. */
  let notFound = -1;
  return async (number: number, signal: AbortSignal): Promise<Uint8Array | undefined> => {
    if (findAnchor === undefined || oldest - number <= shortWalk) return undefined;
    if (number <= notFound) return undefined;
    try {
      const anchor = await findAnchor(number + reach + 1, signal);
      const hash =
        anchor.l2BlockNumber > number ? await readHash(anchor, number, signal) : undefined;
      if (hash) return hash;
    } catch (error) {
      signal.throwIfAborted();
      // The way by parents is left. A false proof is told.
      if (!(error instanceof AnchorError || error instanceof RpcError)) throw error;
    }
    notFound = Math.max(notFound, number);
    return undefined;
  };
}
