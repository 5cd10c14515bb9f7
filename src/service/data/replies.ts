/** Answers of the routes of the data interface: an envelope around data, or around an error. */
import { RpcError } from '../../rpc/index.js';
import { NodeError } from '../chain/errors.js';
import type { ServiceLog } from '../http/log.js';
import { codes, Refusal } from '../http/refusal.js';

const json = { 'content-type': 'application/json' };

/** An answer. @param data JSON */
export const answered = (data: string): Response =>
  new Response(`{"data":${data},"error":false,"error_message":null,"error_code":null}`, {
    headers: json,
  });

export const invalid = (message: string): Refusal =>
  new Refusal(codes.invalidParams, message, { status: 400 });

export const noSuchRoute = (): Refusal =>
  new Refusal(codes.methodNotFound, 'No such route', { status: 404 });

export const noSuchChain = (): Refusal =>
  new Refusal(codes.invalidParams, 'The chain is not served here', { status: 404 });

export const unauthorized = (message: string): Refusal =>
  new Refusal(codes.invalidRequest, message, { status: 401 });

const upstream = (status: 502 | 504, message: string, cause: unknown): Refusal =>
  new Refusal(codes.resourceUnavailable, message, { status, cause });

/** A failure as the caller sees it. No URL is in it, and no text of the node's. */
function refusalTo(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof RpcError) {
    if (error.code === 'TIMEOUT')
      return upstream(504, 'The L2 node does not answer in time', error);
    return upstream(502, `The L2 node does not answer as it should (${error.code})`, error);
  }
  if (error instanceof NodeError) return upstream(502, error.message, error);
  const text = 'Internal Server Error';
  return new Refusal(codes.internalError, text, { status: 500, cause: error });
}

/** The answer to a request that failed. */
export function refuse(error: unknown, log: ServiceLog | undefined): Response {
  const { message, status, retryAfter, cause } = refusalTo(error);
  if (cause !== undefined) log?.error({ err: cause }, message);
  const headers: Record<string, string> = { ...json };
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  if (status === 401) headers['www-authenticate'] = 'Basic realm="data", charset="UTF-8"';
  if (status === 405) headers.allow = 'GET, HEAD';
  const body = { data: null, error: true, error_message: message, error_code: status };
  return new Response(JSON.stringify(body), { status, headers });
}
