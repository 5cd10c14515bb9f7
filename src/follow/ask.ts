/** Asks a node until it answers, within reason, and reads what it says. */
import { type RpcError, type Transport } from '../rpc/index.js';
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

const longestDelay = 10_000;

/** Ms between two rounds of tries, while a node is away. */
const longestPause = 60_000;

/** Server codes that no second try changes: no such method, wrong params. */
const lasting = [-32601, -32602];

/** Whether the same question may be answered later. */
function isPassing({ code, status, serverCode }: RpcError): boolean {
  if (code === 'TOO_LARGE') return false;
  if (code === 'SERVER_ERROR') return serverCode === undefined || !lasting.includes(serverCode);
  return code !== 'HTTP_STATUS' || status === undefined || status >= 500 || status === 429;
}

/** Waits. @throws the signal's reason */
export function wait(delay: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const abort = () => {
      end();
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      end();
      resolve();
    }, delay);
    signal?.addEventListener('abort', abort);
  });
}

/**
 * Does work until the nodes that it asks answer, with pauses of a minute at most.
 *
 * @param onWarning is told of each round of tries that failed
 * @throws what work throws, unless a node is away
 */
export async function untilAnswered<T>(
  work: () => Promise<T>,
  { delay, onWarning, signal }: AwayOptions,
): Promise<T> {
  for (let round = 0; ; round++) {
    try {
      return await work();
    } catch (error) {
      const isAway = error instanceof FollowError && error.code === 'NODE_FAILED';
      if (!isAway || !isPassing(error.cause as RpcError)) throw error;
      const pause = Math.min(delay * 2 ** round, longestPause);
      onWarning(`${error.message}; asking again in ${Math.ceil(pause / 1000)} s`);
      await wait(pause, signal);
    }
  }
}

/** What is done while a node is away. */
export interface AwayOptions {
  /** Ms of the first pause; doubled for each later one, up to a minute. */
  readonly delay: number;
  readonly onWarning: (text: string) => void;
  readonly signal: AbortSignal | undefined;
}

/** One node, for whom questions are asked. */
export interface Asker {
  /**
   * @param read throws a FormatError where the answer is none
   * @throws FollowError `NODE_FAILED` or `BAD_ANSWER`, or the signal's reason
   */
  ask<T>(method: string, params: readonly unknown[], read: (answer: unknown) => T): Promise<T>;
}

/** @param name of the node, for messages */
export function createAsker(
  name: string,
  transport: Transport,
  { tries, delay }: Patience,
  signal: AbortSignal | undefined,
): Asker {
  async function call(method: string, params: readonly unknown[]): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await transport.call(method, params, signal ? { signal } : {});
      } catch (cause) {
        signal?.throwIfAborted();
        const error = cause as RpcError;
        if (error.name !== 'RpcError') throw cause;
        if (attempt >= tries || !isPassing(error)) {
          const often = attempt > 1 ? ` (asked ${attempt} times)` : '';
          const text = `${name} does not answer: ${error.message}${often}`;
          throw new FollowError('NODE_FAILED', text, { cause });
        }
        await wait(Math.min(delay * 2 ** (attempt - 1), longestDelay), signal);
      }
    }
  }
  return {
    async ask(method, params, read) {
      const answer = await call(method, params);
      try {
        return read(answer);
      } catch (cause) {
        if (!(cause instanceof FormatError)) throw cause;
        const text = `${name} answered ${method} with something else: ${cause.message}`;
        throw new FollowError('BAD_ANSWER', text, { cause });
      }
    },
  };
}
