/** The server that is asked. Nothing that it says is believed. */
import type { Hex } from '../../bytes.js';
import { toQuantity } from '../../foreign/values.js';
import { callL2 } from '../../rpc/caller.js';
import { RpcError, type Transport } from '../../rpc/index.js';
import { createNodeClient, type NodeClient, toAskNode } from '../../rpc/nodeClient.js';
import { SharedWork } from '../../sharedWork.js';
import { HistoryError } from '../verify/errors.js';

export interface HistoryServer {
  /** Asks it, until the signal is aborted. The same question is asked once for all who wait for it. */
  ask(signal: AbortSignal | undefined): NodeClient;
  /**
   * Asks for headers of blocks that follow one another down from a block, newest first, in one request.
   *
   * @param hash of the first
   * @param count at most {@link longestRange}
   * @returns the answer, unread; undefined if the server is a plain node, which has no such method
   */
  askRange(
    range: { readonly hash: Hex; readonly count: number },
    signal: AbortSignal | undefined,
  ): Promise<unknown>;
  /**
   * Names a block to the server: by its hash, under which one that answers ranges keeps what it has; to a plain node by its
   * number, which all of them know.
   */
  nameOf(block: { readonly number: number; readonly hash: Hex }): number | { blockHash: Hex };
}

/** Most headers that a server answers at once. */
export const longestRange = 256;

/** Headers that are worth a question which a plain node does not know. */
const leastRange = 4;

/** Bytes of JSON for a header, at most: one with 4,096 bytes of extra data. */
const longestHeader = 12 * 1024;

/** Whether a failure says nothing about the question, so that the same one may be answered next time. */
const mayPass = (error: unknown): boolean =>
  error instanceof RpcError &&
  (['NETWORK', 'TIMEOUT', 'RATE_LIMITED'].includes(error.code) || (error.status ?? 0) >= 500);

/** Opens a server. Nothing is sent yet. */
export function openHistoryServer(l2: Transport): HistoryServer {
  const shared = new SharedWork<string, unknown>();
  /** Undefined before the first range is asked for. */
  let hasRanges: boolean | undefined;

  const ask = (signal: AbortSignal | undefined) =>
    createNodeClient(
      toAskNode((method, params, maxBytes) =>
        shared.run(JSON.stringify([method, params]), signal, (own) =>
          callL2(l2, method, params, own, { maxBytes }),
        ),
      ),
    );

  return {
    ask,
    nameOf: ({ number, hash }) => (hasRanges ? { blockHash: hash } : number),
    async askRange({ hash, count }, signal) {
      if (hasRanges === false || (hasRanges === undefined && count < leastRange)) return undefined;
      try {
        const params = [hash, toQuantity(count)];
        const answer = await ask(signal).ask(
          'l2_getHeaders',
          params,
          (all) => all,
          count * longestHeader,
        );
        hasRanges = true;
        return answer;
      } catch (error) {
        signal?.throwIfAborted();
        if (mayPass(error)) throw error;
        // One that has answered before may do so again: its node may be behind.
        hasRanges ??= false;
        return undefined;
      }
    },
  };
}

/** The server says that it lacks what is proven to be there. */
export const heldBack = (what: string, number: number): HistoryError =>
  new HistoryError(
    'BLOCK_HELD_BACK',
    `the server has no ${what} ${number}, which is proven to be there; ask another`,
  );
