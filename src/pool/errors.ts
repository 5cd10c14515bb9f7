/** Errors of the threads, as opposed to a proof. */
import { CodedError } from '../errors.js';

/**
 * - `MISSING_PEER` piscina, which the pool needs on Node, is not installed; the message holds the install line
 * - `NO_WORKERS` no worker can be started here, or its file was not found; the message says what to configure
 * - `WORKER_DIED` a worker ended while it held items of this call; the pool goes on with a new one
 * - `CLOSED` the pool was closed before the call came to its end
 */
export type PoolErrorCode = 'MISSING_PEER' | 'NO_WORKERS' | 'WORKER_DIED' | 'CLOSED';

/** The threads failed; `code` says how. It says nothing about any proof. */
export class PoolError extends CodedError<PoolErrorCode> {
  override readonly name = 'PoolError';
}

/** The error of calls that a closed pool cannot answer. */
export const poolClosedError = (): PoolError => new PoolError('CLOSED', 'the pool is closed');

/** The error of a call whose items a worker took with it. */
export const diedError = (cause: unknown): PoolError =>
  new PoolError('WORKER_DIED', `a worker ended before it answered: ${messageOf(cause)}`, { cause });

/**
 * The error of a pool whose worker file is missing: it must lie beside the pool's own module. A bundler that moves the
 * one and leaves the other is the usual reason.
 *
 * @param file name of the worker file
 */
export const unloadedError = (file: string, cure: string, cause: unknown): PoolError =>
  new PoolError(
    'NO_WORKERS',
    `the worker file ${file} could not be loaded: ${messageOf(cause)}; ${cure}`,
    { cause },
  );

function messageOf(cause: unknown): string {
  return cause instanceof Error && cause.message !== '' ? cause.message : 'no reason given';
}
