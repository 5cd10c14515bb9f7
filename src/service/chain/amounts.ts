/** Asks many contracts at one block, together if the chain has Multicall3, with bounds on what one of them can cost. */
import type { AbiCall } from '../../abi/call.js';
import type { Hex } from '../../bytes.js';
import { entryBytes, LruCache } from '../../lru.js';
import { createMulticall, unlessServerError } from './multicall.js';
import type { DecoderNode } from './node.js';

/** Calls that are put in one. Its gas leaves each of them as much as any token takes. */
const atOnce = 100;

/** Bytes of the answer to one call: some contracts answer without end. */
const maxAnswer = 4096;

/** Gas of a call by itself: it may burn all of it. */
const singleGas = 1_000_000;

/** Single calls on their way at once. */
const concurrent = 8;

/** Bytes in memory of the functions that failed once. */
const maxBytes = 4 * 2 ** 20;

/** A contract and the selector of the function that is called. */
const functionOf = ({ to, data }: AbiCall): string => `${to} ${data.slice(0, 10)}`;

/** What contracts and accounts have at a block, by whatever means. */
export interface Amounts {
  /** The native balance, in wei. @throws RpcError or NodeError */
  balanceAt(address: Hex, block: number): Promise<bigint>;
  /**
   * Makes calls at a block.
   *
   * @param pause awaited between pieces; what it throws ends the work
   * @returns what each returned; undefined if it failed, or answered more than 4 KB
   * @throws RpcError if the node does not answer
   */
  call(
    calls: readonly AbiCall[],
    block: number,
    pause: () => Promise<void>,
  ): Promise<(Uint8Array | undefined)[]>;
}

export function createNodeAmounts(node: Pick<DecoderNode, 'callAt' | 'balanceAt'>): Amounts {
  const multicall = createMulticall(node);
  /** Functions of contracts that failed: each is asked by itself, so that the others do not fail with it. */
  const failing = new LruCache<string, true>(maxBytes, (_, { length }) => entryBytes + 2 * length);

  /** The node's message may be about a contract that failed; if it does not hold the state, the native balance says so. */
  const callOne = ({ to, data }: AbiCall, block: number): Promise<Uint8Array | undefined> =>
    unlessServerError(node.callAt({ to, data, block, maxBytes: maxAnswer, gas: singleGas }));

  return {
    balanceAt: (address, block) => node.balanceAt(address, block),
    async call(calls, block, pause) {
      const results: (Uint8Array | undefined)[] = new Array(calls.length).fill(undefined);
      const places = calls.map((_, i) => i);
      const isFailing = (at: number) => failing.get(functionOf(calls[at] as AbiCall)) !== undefined;
      const together = places.filter((at) => !isFailing(at));
      const alone = places.filter(isFailing);
      for (let from = 0; from < together.length; from += atOnce) {
        await pause();
        const part = together.slice(from, from + atOnce);
        const answers = await multicall(
          part.map((at) => calls[at] as AbiCall),
          { block, maxBytes: part.length * (maxAnswer + 128) },
        );
        for (const [i, at] of part.entries()) {
          const answer = answers?.[i];
          // A contract that burns all gas leaves none to those behind it, so each that failed is asked again by itself.
          if (answer && answer.length <= maxAnswer) results[at] = answer;
          else alone.push(at);
        }
      }
      for (let from = 0; from < alone.length; from += concurrent) {
        await pause();
        const part = alone.slice(from, from + concurrent);
        const answers = await Promise.all(part.map((at) => callOne(calls[at] as AbiCall, block)));
        for (const [i, at] of part.entries()) {
          results[at] = answers[i];
          if (answers[i] === undefined) failing.set(functionOf(calls[at] as AbiCall), true);
        }
      }
      return results;
    },
  };
}
