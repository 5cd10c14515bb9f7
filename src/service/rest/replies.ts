/** Answers of routes, and what a failure looks like from outside, in the words of their interface. */
import { DecodeError } from '../../decode/index.js';
import { RpcError } from '../../rpc/index.js';
import { jsonType } from '../../rpc/mediaType.js';
import { NodeError } from '../chain/errors.js';
import { codes, HttpError } from '../http/httpError.js';
import type { ServiceLog } from '../http/log.js';
import type { RouteAnswer } from '../jsonrpc/method.js';

/** How an interface words its answers. */
export interface ApiTexts {
  /** Stands before what is said of a node that failed. */
  readonly failurePrefix: string;
  /** The subject of such a sentence. */
  readonly node: string;
  readonly noRoute: string;
  readonly noKey: string;
  readonly unknownKey: string;
  /** To a key that asks for too much. @param units that it may ask for in a second */
  rateLimit(units: number): string;
  /** How a client is told to send a key. */
  readonly challenge: string;
  /** Puts what is wrong with a request into one sentence or several. */
  faults(faults: readonly string[]): string;
  /** The body of a failure, as JSON has it. */
  failure(message: string, status: number): object;
}

/** Those of every answer. */
export const jsonHeaders = { 'content-type': jsonType };

/** An answer. @param body JSON @param headers whole: to join them anew takes a tenth of a remembered answer */
export const answered = (
  body: RouteAnswer['body'],
  headers: Readonly<Record<string, string>> = jsonHeaders,
): Response => new Response(body, { headers });

export const noSuchRoute = ({ noRoute }: ApiTexts): HttpError =>
  new HttpError(codes.methodNotFound, noRoute, { status: 404 });

/** A failure as the caller sees it. No URL is in it, and no text of the node's. */
function toFailure(error: unknown, { failurePrefix, node }: ApiTexts): HttpError {
  if (error instanceof HttpError) return error;
  const upstream = (message: string, status = 502) =>
    new HttpError(codes.resourceUnavailable, failurePrefix + message, { status, cause: error });
  if (error instanceof RpcError) {
    if (error.code === 'TIMEOUT') return upstream(`${node} does not answer in time`, 504);
    return upstream(`${node} does not answer as it should (${error.code})`);
  }
  if (error instanceof NodeError) return upstream(error.message);
  if (error instanceof DecodeError && error.code !== 'MISSING_PEER') return upstream(error.message);
  const text = 'Internal Server Error';
  return new HttpError(codes.internalError, text, { status: 500, cause: error });
}

/** The answer to a request that failed. */
export function toFailureResponse(
  error: unknown,
  texts: ApiTexts,
  log: ServiceLog | undefined,
): Response {
  const { message, status, retryAfter, cause } = toFailure(error, texts);
  if (cause !== undefined) log?.error({ err: cause }, message);
  const headers: Record<string, string> = { ...jsonHeaders };
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  if (status === 401) headers['www-authenticate'] = texts.challenge;
  if (status === 405) headers.allow = 'GET, HEAD';
  return new Response(JSON.stringify(texts.failure(message, status)), { status, headers });
}
