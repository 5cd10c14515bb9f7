/** Asks a node until it answers, within reason. */
import { AnchorError } from '../../anchor/common/errors.js';
import { ownMembers } from '../../foreign/argument.js';
import type { RpcError, Transport } from '../../rpc/index.js';
import type { AskNode } from '../../rpc/nodeClient.js';
import { methodNotFound } from '../../rpc/noMethod.js';
import { doubling, retry } from '../../rpc/retry.js';
import { type AskMany, type BatchClient, createBatchClient } from './batchClient.js';
import { FollowError } from './errors.js';
import { FormatError } from './read.js';

/** How often a node is asked before it counts as failed, and how long is waited in between. */
export interface Patience {
  /** From 1. */
  tries: number;
  /** Ms before the second try; doubled for each later one, up to 10 s. */
  delay: number;
}

export const defaultPatience: Patience = { tries: 6, delay: 500 };

/** @throws TypeError or RangeError */
export function checkPatience(patience: Patience): void {
  const { tries, delay } = ownMembers(patience, ['tries', 'delay'], 'patience');
  if (!(tries >= 1)) throw new RangeError('"patience.tries" expected a number from 1');
  if (!(delay >= 0)) throw new RangeError('"patience.delay" expected ms from 0');
}

const longestDelay = 10_000;

/** Ms between two rounds of tries, while a node is away. */
const longestPause = 60_000;

/** Server codes that no second try changes: no such method, wrong params. */
const lasting = [methodNotFound, -32602];

/** Whether the same question may be answered later. */
function isPassing({ code, status, serverCode }: RpcError): boolean {
  if (code === 'TOO_LARGE') return false;
  if (code === 'SERVER_ERROR') return serverCode === undefined || !lasting.includes(serverCode);
  return code !== 'HTTP_STATUS' || status === undefined || status >= 500 || status === 429;
}

/** The reaction to a node that does not answer. */
interface AwayOptions {
  /** Ms of the first pause; doubled for each later one, up to a minute. */
  readonly delay: number;
  readonly onWarning: (text: string) => void;
  readonly signal: AbortSignal | undefined;
}

/**
 * Does work until the nodes that it asks answer, with pauses of a minute at most.
 *
 * @param onWarning is told of each round of tries that failed
 * @throws any error of work, unless a node is away
 */
export function untilAnswered<T>(
  work: () => Promise<T>,
  { delay, onWarning, signal }: AwayOptions,
): Promise<T> {
  const pauseAfter = doubling(delay, longestPause);
  const policy = (error: unknown, round: number) => {
    const isAway = error instanceof FollowError && error.code === 'NODE_FAILED';
    if (!isAway || !isPassing(error.cause as RpcError)) return undefined;
    const pause = pauseAfter(round);
    onWarning(`${error.message}; asking again in ${Math.ceil(pause / 1000)} s`);
    return pause;
  };
  return retry(work, policy, signal);
}

/**
 * Asks one node, again if what failed may pass. What is asked throws FollowError `NODE_FAILED` or `BAD_ANSWER`, or the
 * signal's reason. A reader may throw an RpcError if the answer holds a failure: it is then as if the call had failed.
 *
 * @param name of the node, for messages
 */
export function createPatientClient(
  name: string,
  transport: Transport,
  { tries, delay }: Patience,
  signal: AbortSignal | undefined,
): BatchClient {
  const pauseAfter = doubling(delay, longestDelay);

  const policy = (cause: unknown, attempt: number) => {
    signal?.throwIfAborted();
    const error = cause as RpcError;
    if (error.name !== 'RpcError') return undefined;
    if (attempt < tries && isPassing(error)) return pauseAfter(attempt);
    const often = attempt > 1 ? ` (asked ${attempt} times)` : '';
    const text = `${name} does not answer: ${error.message}${often}`;
    throw new FollowError('NODE_FAILED', text, { cause });
  };

  const options = (maxBytes: number | undefined) => ({
    ...(signal && { signal }),
    ...(maxBytes !== undefined && { maxBytes }),
  });

  /** @param method what was asked, for messages */
  async function patiently<T>(method: string, ask: () => Promise<T>): Promise<T> {
    try {
      return await retry(ask, policy, signal);
    } catch (cause) {
      if (!(cause instanceof FormatError || cause instanceof AnchorError)) throw cause;
      const text = `${name} answered ${method} with something else: ${cause.message}`;
      throw new FollowError('BAD_ANSWER', text, { cause });
    }
  }

  const ask: AskNode = (method, params, read, maxBytes) =>
    patiently(method, async () => read(await transport.call(method, params, options(maxBytes))));
  // Called on the transport: it may be an object with members of its own.
  const askMany: AskMany = (questions, read, maxBytes) =>
    patiently(questions[0]?.method ?? 'nothing', async () => {
      const answers = (await transport.batch?.(questions, options(maxBytes))) ?? [];
      return answers.map((answer, i) => {
        if ('error' in answer) throw answer.error;
        return read(answer.result, i);
      });
    });
  return createBatchClient(ask, transport.batch && askMany);
}
