/**
 * Hints from L1 that need no trust: which blocks were finalized, and the preimage of the word at slot 447. A hint that
 * is wrong or missing costs a root nothing: each block is proven or called for by itself, and the words are held
 * against their hash.
 */
import { callData } from '../abi/call.js';
import { encodeWord } from '../abi/word.js';
import { encodeHex, type Hex } from '../bytes.js';
import { dataBytes, hexText, parseQuantity } from '../foreign/values.js';
import { shortAnswer } from '../rpc/bounds.js';
import { RpcError } from '../rpc/index.js';
import type { NodeClient } from '../rpc/nodeClient.js';
import { AnchorError } from './common/errors.js';
import { openArray, openObject, readMember } from './common/foreign.js';
import type { Network } from './common/network.js';
import { type L1Block, parseWord } from './contract.js';

/** keccak-256 of each event's signature. */
const topics = {
  /** `DataFinalizedV3(uint256 indexed start, uint256 indexed end, bytes32 indexed, bytes32, bytes32)` */
  dataFinalized: '0xa0262dc79e4ccb71ceac8574ae906311ae338aa4a2044fd4ec4b99fad5ab60cb',
  /** `DataFinalizedV4(uint256 indexed start, uint256 indexed end, bytes32 indexed, uint256, bytes32, bytes32)`: of version 9 */
  blockFinalized: '0x86710ea04c20fbcfc0b7200362c5174c71b7183bbc324b36a83f61824be0cdef',
  /** `FinalizedStateUpdated(uint256 indexed block, uint256 timestamp, uint256 messages, uint256 forcedTransactions)` */
  finalizedState: '0x32e016ccc5c33419c35caa94023fdeb75143da613fb2ac738ab736404c09fc5d',
} as const;

/** First four bytes of the keccak-256 of `rollingHashes(uint256)` and `forcedTransactionRollingHashes(uint256)`. */
const selectors = { rollingHashes: '0x914e57eb', forcedRollingHashes: '0xadd9137a' } as const;

/** Where hints are asked for. */
export interface HintSource {
  readonly node: NodeClient;
  readonly network: Network;
  /** Number of the L1 block up to which events count. */
  readonly l1BlockNumber: number;
  /** The same block, for calls. */
  readonly at: L1Block;
}

/** One event, as the endpoint says it. */
interface LogHint {
  readonly topics: readonly (Hex | undefined)[];
  readonly words: readonly Uint8Array[];
}

/** Most bytes of data that an event of these has. */
const maxData = 96;

function readLogs(answer: unknown): LogHint[] {
  const logs = openArray(answer, 'logs');
  return Array.from({ length: logs.length }, (_, i) => {
    const log = openObject(readMember(logs, i), `logs[${i}]`);
    const list = openArray(readMember(log, 'topics'), `logs[${i}].topics`);
    const data = dataBytes(readMember(log, 'data'), maxData) ?? new Uint8Array(0);
    return {
      topics: Array.from({ length: Math.min(list.length, 4) }, (_value, at) =>
        hexText(readMember(list, at), 32),
      ),
      words: Array.from({ length: data.length >> 5 }, (_value, at) =>
        data.subarray(32 * at, 32 * (at + 1)),
      ),
    };
  });
}

/** Longest list of events, in bytes: thousands of finalizations are more than enough for a hint. */
const longestLogs = 2 * 1024 * 1024;

const askLogs = (
  { node, network }: HintSource,
  range: { from: number; to: number },
  topics: readonly (Hex | readonly Hex[])[],
): Promise<LogHint[]> =>
  node.logs({ address: network.rollup, range, topics }, readLogs, longestLogs);

/** L1 blocks in the first range of events that is asked for, half a day and more; refused ranges are halved. */
const widestRange = 5000;

/** Requests for events, in one search. */
const maxRequests = 48;

/** Whether a smaller range may be answered. A server that names a time is busy, whatever the range: each try waits. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof RpcError &&
  error.retryAfter === undefined &&
  ['SERVER_ERROR', 'HTTP_STATUS', 'TOO_LARGE', 'TIMEOUT'].includes(error.code);

/** A number that a topic holds, if JavaScript holds it too. */
function numberOf(topic: Hex | undefined): number | undefined {
  const value = parseQuantity(topic, 53);
  return value === undefined ? undefined : Number(value);
}

/** The ends of finalizations below a block in some events, newest first. An event names the one before it as well. */
function endsIn(logs: readonly LogHint[], below: number): number[] {
  const ends = logs.flatMap(({ topics: [, start, end] }) => {
    const first = numberOf(start);
    return [numberOf(end), first === undefined ? undefined : first - 1];
  });
  const wanted = ends.filter((end) => end !== undefined && end >= 0 && end < below) as number[];
  return [...new Set(wanted)].sort((a, b) => b - a);
}

/**
 * L2 blocks that ended a finalization, newest first, by the events of the rollup contract. Ends when the endpoint
 * answers no more, or after some weeks of events at most.
 *
 * @param below only blocks below this one
 * @throws the signal's reason
 */
export async function* finalizedBelow(
  source: HintSource,
  below: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<number> {
  const { dataFinalized, blockFinalized } = topics;
  const hasHashes = source.network.slots.blockHashes !== undefined;
  const events = hasHashes ? [dataFinalized, blockFinalized] : dataFinalized;
  let last = below;
  let to = source.l1BlockNumber;
  let width = widestRange;
  for (let request = 0; request < maxRequests && to >= 0; request++) {
    const from = Math.max(0, to - width + 1);
    let logs: LogHint[];
    try {
      logs = await askLogs(source, { from, to }, [events]);
    } catch (error) {
      signal?.throwIfAborted();
      if (!isRefusal(error) || width === 1) return;
      width = Math.ceil(width / 2);
      continue;
    }
    for (const end of endsIn(logs, last)) {
      last = end;
      yield end;
    }
    to = from - 1;
  }
}

/** Whether the next earlier block may do: L1 has no root of this one, or the L2 server no state. */
const isSkipped = (error: unknown): boolean =>
  (error instanceof AnchorError || error instanceof RpcError) &&
  ['NOT_PROVABLE', 'NO_STATE_ROOT', 'BLOCK_NOT_HELD'].includes(error.code);

/**
 * Tries blocks that ended a finalization, from the newest below another one down. The events that name them are hints, and may
 * be wrong.
 *
 * @returns undefined if none of them does
 * @throws any error of `use`, unless the block before may do; the signal's reason
 */
export async function tryEarlier<T>(
  hints: HintSource,
  {
    below,
    lowest,
    maxSteps,
    signal,
  }: { below: number; lowest: number; maxSteps: number; signal: AbortSignal | undefined },
  use: (l2BlockNumber: number) => Promise<T>,
): Promise<T | undefined> {
  let steps = 0;
  for await (const block of finalizedBelow(hints, below, signal)) {
    if (steps++ === maxSteps || block < lowest) break;
    try {
      return await use(block);
    } catch (error) {
      if (!isSkipped(error)) throw error;
    }
  }
  return undefined;
}

/** A preimage that the word at slot 447 may have, and the time of the L2 block in it. */
interface FinalizedStateHint {
  readonly timestamp: bigint;
  /** As `verifyAnchorProof` takes them; undefined if they were not asked for. */
  readonly words: readonly Hex[] | undefined;
}

/**
 * The state that went with a finalized block, by the newest event about it and two calls.
 *
 * @param withWords whether the words are asked for, besides the time
 * @returns undefined if the endpoint does not say it
 * @throws the signal's reason
 */
export async function findFinalizedState(
  source: HintSource,
  { l2BlockNumber, withWords }: { l2BlockNumber: number; withWords: boolean },
  signal: AbortSignal | undefined,
): Promise<FinalizedStateHint | undefined> {
  const { node, network, at, l1BlockNumber } = source;
  const range = { from: Math.max(0, l1BlockNumber - widestRange + 1), to: l1BlockNumber };
  const call = async (selector: Hex, number: Hex) => {
    const asked = { to: network.rollup, data: callData(selector, number), gas: undefined };
    return encodeHex(await node.call(asked, at, parseWord, shortAnswer));
  };
  try {
    const filter = [topics.finalizedState, encodeHex(encodeWord(l2BlockNumber))] as const;
    const words = (await askLogs(source, range, filter)).at(-1)?.words ?? [];
    if (words.length < 3) return undefined;
    const [time, messages, forced] = words.map((word) => encodeHex(word)) as [Hex, Hex, Hex];
    const timestamp = BigInt(time);
    if (!withWords) return { timestamp, words: undefined };
    const [rolling, forcedRolling] = await Promise.all([
      call(selectors.rollingHashes, messages),
      call(selectors.forcedRollingHashes, forced),
    ]);
    return { timestamp, words: [messages, rolling, forced, forcedRolling, time] };
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}
