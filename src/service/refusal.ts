/** Answers that are no result: a JSON-RPC error, and the HTTP status it comes with. */

/** Codes of JSON-RPC 2.0, and of EIP-1474 where that has none. */
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
export interface RefusalOptions extends ErrorOptions {
  readonly status?: number;
  /** Seconds after which to try again. */
  readonly retryAfter?: number;
}

/** Thrown to end a request; all of it may be shown to the caller. */
export class Refusal extends Error {
  readonly code: number;
  readonly status: number;
  readonly retryAfter: number | undefined;

  constructor(code: number, message: string, options: RefusalOptions = {}) {
    super(message, options);
    this.code = code;
    this.status = options.status ?? 200;
    this.retryAfter = options.retryAfter;
  }
}

/** Of a block that is not held, or not yet final on L1. The first word is what clients look for. */
export const blockMissing = (reason: string): Refusal =>
  new Refusal(codes.invalidRequest, `BLOCK_MISSING_IN_CHAIN - ${reason}`);

/** More than can be taken on right now. */
export const overloaded = (message: string): Refusal =>
  new Refusal(codes.resourceUnavailable, message, { status: 503, retryAfter: 1 });
