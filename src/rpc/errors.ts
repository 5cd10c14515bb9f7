/** What can go wrong between a question and its answer, as opposed to what the answer says. */
import { CodedError } from '../errors.js';

/**
 * - `TIMEOUT` no whole answer came in time
 * - `NETWORK` the request failed below HTTP, or the answer broke off
 * - `HTTP_STATUS` the server answered another status than 2xx and no JSON-RPC error; a redirect is one, and not followed
 * - `TOO_LARGE` the answer is longer than was allowed; it was not read to its end
 * - `NOT_JSON` the answer is not UTF-8 or not JSON
 * - `BAD_ENVELOPE` the answer is JSON, but no JSON-RPC 2.0 answer
 * - `WRONG_ID` the answer is to another request
 * - `SERVER_ERROR` the server answered an error, see {@link RpcError.serverCode} and {@link RpcError.serverMessage}
 */
export type RpcErrorCode =
  | 'TIMEOUT'
  | 'NETWORK'
  | 'HTTP_STATUS'
  | 'TOO_LARGE'
  | 'NOT_JSON'
  | 'BAD_ENVELOPE'
  | 'WRONG_ID'
  | 'SERVER_ERROR';

/** What an answer had, where it came that far. */
export interface RpcErrorDetails {
  readonly status?: number;
  readonly serverCode?: number;
  readonly serverMessage?: string;
}

/**
 * No result came; `code` says why. It has no `cause`: what a fetch throws may name the URL, and the URL holds the API
 * key.
 */
export class RpcError extends CodedError<RpcErrorCode> {
  override readonly name = 'RpcError';
  /** Method that was called. */
  readonly method: string;
  /** HTTP status, where there was one. */
  readonly status: number | undefined;
  /** The JSON-RPC error's own code and message, of `SERVER_ERROR`; the message is foreign text, cut. */
  readonly serverCode: number | undefined;
  readonly serverMessage: string | undefined;

  constructor(code: RpcErrorCode, method: string, message: string, details: RpcErrorDetails = {}) {
    super(code, `${method}: ${message}`);
    this.method = method;
    this.status = details.status;
    this.serverCode = details.serverCode;
    this.serverMessage = details.serverMessage;
  }
}
