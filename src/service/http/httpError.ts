/** Answers that are no result: a JSON-RPC error, and the HTTP status it comes with. */
import type { ServiceLog } from './log.js';

/** Codes of JSON-RPC 2.0, and of EIP-1474 if JSON-RPC has none. */
export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  resourceUnavailable: -32002,
  limitExceeded: -32005,
} as const;

/** How a refusal differs from the usual status of 200. */
interface HttpErrorOptions extends ErrorOptions {
  readonly status?: number;
  /** Seconds after which to try again. */
  readonly retryAfter?: number;
  /** The member of that name of a JSON-RPC error. */
  readonly data?: unknown;
}

/** Thrown to end a request; all of it may be shown to the caller. */
export class HttpError extends Error {
  readonly code: number;
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly data: unknown;

  constructor(code: number, message: string, options: HttpErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.status = options.status ?? 200;
    this.retryAfter = options.retryAfter;
    this.data = options.data;
  }
}

/** The error of a JSON-RPC answer. Without data, JSON leaves that member out. */
export const toErrorObject = ({ code, message, data }: HttpError) => ({ code, message, data });

/** The refusal of a block that is not held, or not yet final on L1. Clients look for its first word. */
export const blockMissing = (reason: string): HttpError =>
  new HttpError(codes.invalidRequest, `BLOCK_MISSING_IN_CHAIN - ${reason}`);

/** More than can be taken on right now. */
export const overloaded = (message: string): HttpError =>
  new HttpError(codes.resourceUnavailable, message, { status: 503, retryAfter: 1 });

/** Blocks were taken back, or came, between two questions to the L2 node. */
export const chainChanged = (): HttpError => overloaded('the chain changed meanwhile; ask again');

/** The L2 node has another block in the place of one that the index holds. */
export const indexOffChain = (): HttpError =>
  overloaded('the index is not on the chain of the L2 node right now');

/** This answer is never read: the client ended the connection first. Proxies log the same status for that. */
export const clientGone = (): HttpError =>
  new HttpError(0, 'the client went away', { status: 499 });

/** An error as the caller sees it. Its cause is for the operator only, and is logged. */
export function toHttpError(error: unknown, log: ServiceLog | undefined): HttpError {
  const isRefusal = error instanceof HttpError;
  const refusal = isRefusal ? error : new HttpError(codes.internalError, 'internal error');
  const err = isRefusal ? error.cause : error;
  if (err !== undefined) log?.error({ err }, refusal.message);
  return refusal;
}
