/** The failures between a request and its answer. The content of the answer is checked elsewhere. */
import { CodedError } from '../errors.js';

/**
 * - `TIMEOUT` no whole answer came in time
 * - `NETWORK` the request failed below HTTP, or the answer broke off
 * - `HTTP_STATUS` the server answered a status other than 2xx and no JSON-RPC error; redirects are not followed, and count too
 * - `TOO_LARGE` the answer is longer than was allowed; it was not read to its end
 * - `NOT_JSON` the answer is not UTF-8 or not JSON
 * - `BAD_ENVELOPE` the answer is JSON, but no JSON-RPC 2.0 answer
 * - `WRONG_ID` the answer is to another request
 * - `SERVER_ERROR` the server answered an error, see {@link RpcError.serverCode} and {@link RpcError.serverMessage}
 *
 * The proof client tells some of these apart:
 *
 * - `RATE_LIMITED` the server was asked too much; {@link RpcError.retryAfter} says when to ask again, if the server told
 * - `UNAUTHORIZED` the server wants another key, or refuses keys from web pages
 * - `BLOCK_NOT_HELD` the server does not hold the state of the block: not yet, no longer, or never. Ask another server, or
 *   for another finalized block; the message says whether an older or a newer one
 * - `BAD_PARTS` the answers to the parts of a long list of slots do not fit together. Ask again, for a block by its
 *   number
 */
export type RpcErrorCode =
  | 'TIMEOUT'
  | 'NETWORK'
  | 'HTTP_STATUS'
  | 'TOO_LARGE'
  | 'NOT_JSON'
  | 'BAD_ENVELOPE'
  | 'WRONG_ID'
  | 'SERVER_ERROR'
  | 'RATE_LIMITED'
  | 'UNAUTHORIZED'
  | 'BLOCK_NOT_HELD'
  | 'BAD_PARTS';

/** Details of the answer, if one came. */
export interface RpcErrorDetails {
  /** HTTP status. */
  readonly status?: number | undefined;
  /** The JSON-RPC error's own code. */
  readonly serverCode?: number | undefined;
  /** The JSON-RPC error's own message. */
  readonly serverMessage?: string | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
}

/**
 * No result came; `code` says why. It has no `cause`: an error of fetch may name the URL, and the URL holds the API
 * key.
 */
export class RpcError extends CodedError<RpcErrorCode> {
  override readonly name = 'RpcError';
  /** Method that was called. */
  readonly method: string;
  /** HTTP status, if there was one. */
  readonly status: number | undefined;
  /** The JSON-RPC error's own code, of `SERVER_ERROR`. */
  readonly serverCode: number | undefined;
  /** The JSON-RPC error's own message: foreign text, cut. */
  readonly serverMessage: string | undefined;
  /** Seconds after which the server wants to be asked again, by its `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(code: RpcErrorCode, method: string, reason: string, details: RpcErrorDetails = {}) {
    super(code, reason, { before: `${method}: ` });
    this.method = method;
    this.status = details.status;
    this.serverCode = details.serverCode;
    this.serverMessage = details.serverMessage;
    this.retryAfter = details.retryAfter;
  }

  /** The same failure with another text. The server's own code and message are kept. */
  restate(reason: string, code: RpcErrorCode = this.code): RpcError {
    const error = new RpcError(code, this.method, reason, this);
    keepWords(error, wordsOf(this));
    return error;
  }
}

/** Whether the server does not hold the state of the block that was asked about. */
export const isNotHeld = (error: unknown): error is RpcError =>
  error instanceof RpcError && error.code === 'BLOCK_NOT_HELD';

/**
 * What a server said in its own words, kept apart from the error that shows them: a part of them may be taken out there,
 * and what the server meant must still be recognised. Never shown: they may hold a key.
 */
const keptWords = new WeakMap<object, string>();

/** @param text foreign, cut */
export function keepWords(error: object, text: string): void {
  keptWords.set(error, text);
}

/** The words of an error's server; the shown ones if no others were kept. */
export const wordsOf = (error: { readonly serverMessage?: string | undefined }): string =>
  keptWords.get(error) ?? error.serverMessage ?? '';
