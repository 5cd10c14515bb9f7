/** Answers of the routes of the decoder: JSON with `success`, and what a failure looks like from outside. */
import { DecodeError } from '../../decode/index.js';
import { RpcError } from '../../rpc/index.js';
import { NodeError } from '../chain/errors.js';
import type { ServiceLog } from '../http/log.js';
import { codes, Refusal } from '../http/refusal.js';

const json = { 'content-type': 'application/json' };

/** A fault of the request, which carries the name that clients know such faults by. */
class InvalidRequest extends Refusal {}

/** A request that is wrong in several ways, all of which are told. */
export const invalid = (faults: readonly string[]): Refusal =>
  new InvalidRequest(codes.invalidParams, faults.map((fault) => `${fault}.`).join(' '), {
    status: 400,
  });

export const noSuchRoute = (): Refusal =>
  new Refusal(codes.methodNotFound, 'Not Found', { status: 404 });

export const noSuchTransaction = (): Refusal =>
  new Refusal(codes.resourceUnavailable, 'Transaction not found: unknown, or not mined yet', {
    status: 404,
  });

export const unauthorized = (message: string): Refusal =>
  new Refusal(codes.invalidRequest, message, { status: 401 });

const upstream = (status: 502 | 504, reason: string, cause: unknown): Refusal =>
  new Refusal(codes.resourceUnavailable, `Server Error: ${reason}`, { status, cause });

/** A failure as the caller sees it. No URL is in it, and no text of the node's. */
function refusalTo(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof RpcError) {
    const { code } = error;
    if (code === 'TIMEOUT') return upstream(504, 'the L2 node does not answer in time', error);
    return upstream(502, `the L2 node does not answer as it should (${code})`, error);
  }
  if (error instanceof NodeError) return upstream(502, error.message, error);
  if (error instanceof DecodeError && error.code !== 'MISSING_PEER') {
    return upstream(502, error.message, error);
  }
  const text = 'Internal Server Error';
  return new Refusal(codes.internalError, text, { status: 500, cause: error });
}

/** The answer to a request that failed. */
export function refuse(error: unknown, log: ServiceLog | undefined): Response {
  const refusal = refusalTo(error);
  const { message, status, retryAfter, cause } = refusal;
  if (cause !== undefined) log?.error({ err: cause }, message);
  const headers: Record<string, string> = { ...json };
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  const name = refusal instanceof InvalidRequest ? { name: 'Validation Error' } : {};
  return new Response(JSON.stringify({ success: false, ...name, message }), { status, headers });
}

/** An answer. @param text JSON */
export const answered = (text: string): Response => new Response(text, { headers: json });
