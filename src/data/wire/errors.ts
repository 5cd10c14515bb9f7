/** Why a question to the data interface, or to a decoder, has no answer. */
import { CodedError } from '../../errors.js';

/**
 * - `TIMEOUT` no whole answer came in time
 * - `NETWORK` the request failed below HTTP, or the answer broke off
 * - `TOO_LARGE` the answer is longer than was allowed; it was not read to its end
 * - `NOT_JSON` the answer is not UTF-8 or not JSON
 * - `BAD_ANSWER` the answer does not have the required format; the message names the member
 * - `INVALID_REQUEST` the server says that the question is wrong
 * - `UNAUTHORIZED` the server wants a key, or another one
 * - `NOT_FOUND` the server does not know the chain, the transaction or the route
 * - `RATE_LIMITED` too much was asked; {@link DataError.retryAfter} says when to ask again, if the server does
 * - `SERVER_ERROR` the server failed, or says anything else that is no success
 * - `NOT_VERIFIED` a balance is not what its proof proves, or has no proof; the message names the contract
 * - `FORK_UNKNOWN` the time of the anchor's block is not proven, so the rules of its contracts are not known; name a `fork`
 * - `MISSING_PEER` a package that this part needs is not installed; the message holds the install line
 */
export type DataErrorCode =
  | 'TIMEOUT'
  | 'NETWORK'
  | 'TOO_LARGE'
  | 'NOT_JSON'
  | 'BAD_ANSWER'
  | 'INVALID_REQUEST'
  | 'UNAUTHORIZED'
  | 'NOT_FOUND'
  | 'RATE_LIMITED'
  | 'SERVER_ERROR'
  | 'NOT_VERIFIED'
  | 'FORK_UNKNOWN'
  | 'MISSING_PEER';

/** Members of the answer, if one came. */
export interface DataErrorDetails {
  /** HTTP status, for example 429. */
  readonly status?: number | undefined;
  /** The server's own `error_code`. */
  readonly serverCode?: number | string | undefined;
  /** The server's own words: foreign text. */
  readonly serverMessage?: string | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  /** The error below this one, for example that of `fetch`. */
  readonly cause?: unknown;
}

/** There is no answer; `code` says why. Neither URL nor key is in it. */
export class DataError extends CodedError<DataErrorCode> {
  override readonly name = 'DataError';
  /** HTTP status, if there was one. */
  readonly status: number | undefined;
  /** The server's own `error_code`: a number, or a text. */
  readonly serverCode: number | string | undefined;
  /** The server's own words; foreign text, cut. */
  readonly serverMessage: string | undefined;
  /** Seconds after which the server wants to be asked again, by its `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(code: DataErrorCode, message: string, details: DataErrorDetails = {}) {
    super(code, message, { cause: details.cause });
    this.status = details.status;
    this.serverCode = details.serverCode;
    this.serverMessage = details.serverMessage;
    this.retryAfter = details.retryAfter;
  }
}
