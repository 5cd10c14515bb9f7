/** Why a request has no answer, in the codes of EIP-1193 and EIP-1474. */
import { AnchorError, type AnchorErrorCode } from '../../anchor/index.js';
import type { Hex } from '../../bytes.js';
import { CodedError, ShapeError, type VerificationCode, VerificationError } from '../../errors.js';
import { EvmError, type EvmErrorCode } from '../../evm/call/errors.js';
import { HistoryError, type HistoryErrorCode } from '../../history/verify/errors.js';
import { RpcError, type RpcErrorCode } from '../../rpc/index.js';

/**
 * - `4200` the method is not answered: it cannot be proven, and `passthrough` does not name it
 * - `4900` the provider was closed
 * - `-32000` the server refused what was passed on; the message is the server's. Or the EVM ended a call that it ran
 *   here, out of gas for example; or there is no such filter
 * - `-32002` no answer to a request that was passed on; a transaction may or may not have got through
 * - `-32600` the request is no object with a method
 * - `-32602` the parameters are wrong, or name a block that cannot be proven
 *
 * - `3` a contract reverted a call that was run here; `data` is what it returned
 *
 * and the codes of {@link UnverifiedCode}. None is -32603, for which libraries ask again, and no server's error is 3.
 */
export type ProviderErrorCode =
  | 3
  | 4200
  | 4900
  | -32000
  | -32002
  | -32600
  | -32602
  | UnverifiedCode;

/**
 * A read has no verified answer; `data` says why. All were -32001 before, as `data.legacyCode` says: EIP-1474 has that
 * for a resource that is not found. These lie outside what JSON-RPC reserves, so that no library takes them for others.
 *
 * - `-31001` an answer was refused: it is false, malformed, or not what the other endpoints say. To ask the same server
 *   again changes nothing
 * - `-31002` it could not be found out: an endpoint does not answer, is behind, or does not hold the block. It may pass
 * - `-31003` it cannot be proven or run here, as asked: another block or option is needed
 */
export type UnverifiedCode = -31001 | -31002 | -31003;

/**
 * Beside the codes of proofs, anchors, servers, calls and blocks (`HistoryError`):
 *
 * - `MALFORMED` the answer is no proof at all
 * - `CODE_MISMATCH` the code does not have the proven size or hash
 * - `EXECUTION` the call ran here, on proven state, and the EVM ended it
 * - `HASH_MISMATCH` the server names another hash for the transaction that it was sent
 * - `UNKNOWN_FILTER` there is no such filter, or none any more: make it anew
 * - `FAILED` a function or transport of the caller's own failed; see the error's `cause`
 */
export type ProviderErrorReason =
  | VerificationCode
  | AnchorErrorCode
  | RpcErrorCode
  | EvmErrorCode
  | HistoryErrorCode
  | 'MALFORMED'
  | 'CODE_MISMATCH'
  | 'EXECUTION'
  | 'HASH_MISMATCH'
  | 'UNKNOWN_FILTER'
  | 'FAILED';

/** Why there is no answer, for programs. */
export interface ProviderErrorData {
  /** One word for the reason: the code of the error that kept the answer from being verified. */
  readonly reason: ProviderErrorReason;
  /** Member of the server's answer that is wrong; undefined if it is no single one. */
  readonly path: string | undefined;
  /** Number of the L2 block; undefined if no block was found, or none matters. */
  readonly block: number | undefined;
  /** The code that was for all of {@link UnverifiedCode} before; only these have it. */
  readonly legacyCode?: -32001;
}

/** Data of errors with code 3: what the contract reverted with. */
export type RevertData = Hex;

/**
 * There is no answer; `code` and `data.reason` say why.
 *
 * @typeParam Data `RevertData` if the code is 3
 */
export class ProviderError<
  Data extends ProviderErrorData | RevertData | undefined = ProviderErrorData | undefined,
> extends CodedError<ProviderErrorCode> {
  override readonly name = 'ProviderError';
  /** Set for the codes -32000, -32002, -31001 to -31003, and 3. */
  readonly data: Data | undefined;

  constructor(
    code: ProviderErrorCode,
    message: string,
    options: ErrorOptions & { data: Data | undefined } = { data: undefined },
  ) {
    super(code, message, options);
    this.data = options.data;
  }
}

export const invalidParams = (message: string): ProviderError => new ProviderError(-32602, message);

/** A refusal of our own, before its block is known. */
export class Mismatch extends Error {
  readonly reason: ProviderErrorReason;

  constructor(reason: ProviderErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Errors of another kind than the class of theirs: the endpoints told no lie. */
const codeOfReason: ReadonlyMap<ProviderErrorReason, UnverifiedCode> = new Map([
  ['PROOF_WINDOW', -31002],
  ['L1_BLOCK_NOT_HELD', -31002],
  ['STALE', -31002],
  ['NOT_PROVABLE', -31003],
  ['NO_STATE_ROOT', -31003],
  ['MISSING_PEER', -31003],
  // Of blocks and what stands in them.
  ['BLOCK_HELD_BACK', -31002],
  ['TOO_NEW', -31002],
  ['NOT_PROVEN', -31003],
  ['TOO_OLD', -31003],
  ['NO_BLOCK_HASHES', -31003],
  ['RANGE_TOO_WIDE', -31003],
  ['TOO_MANY_LOGS', -31003],
  ['HAS_UNCLES', -31003],
  ['UNKNOWN_TYPE', -31003],
]);

function unverifiedCode(error: unknown, reason: ProviderErrorReason): UnverifiedCode {
  if (error instanceof EvmError) return -31003;
  if (error instanceof RpcError || reason === 'FAILED') return -31002;
  return codeOfReason.get(reason) ?? -31001;
}

/** Both members are named, so that no prototype lends one. */
function describe(error: unknown): { reason: ProviderErrorReason; path: string | undefined } {
  if (error instanceof VerificationError) return { reason: error.code, path: error.path };
  if (error instanceof ShapeError) return { reason: 'MALFORMED', path: error.path };
  if (error instanceof AnchorError) return { reason: error.code, path: error.path };
  if (error instanceof HistoryError) return { reason: error.code, path: error.path };
  if (error instanceof RpcError) return { reason: error.code, path: undefined };
  if (error instanceof EvmError) return { reason: error.code, path: undefined };
  if (error instanceof Mismatch) return { reason: error.reason, path: undefined };
  return { reason: 'FAILED', path: undefined };
}

/** A message of ours, or nothing of it: what else was thrown may name a URL, and the URL holds the API key. */
const messageOf = (error: unknown, reason: ProviderErrorReason): string =>
  reason === 'FAILED' ? 'what the provider was given to ask with failed' : (error as Error).message;

/** The error of a read that something kept from being verified. */
export function notVerified(
  method: string,
  error: unknown,
  block: number | undefined,
): ProviderError {
  if (error instanceof ProviderError) return error;
  const { reason, path } = describe(error);
  const at = block === undefined ? '' : ` at block ${block}`;
  const text = `${method}${at} is not verified: ${messageOf(error, reason)}`;
  const data = { reason, path, block, legacyCode: -32001 } as const;
  return new ProviderError(unverifiedCode(error, reason), text, { cause: error, data });
}

/** The error of a request that was passed on. */
export function notPassed(method: string, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof Mismatch) return notVerified(method, error, undefined);
  const { reason } = describe(error);
  const data = { reason, path: undefined, block: undefined };
  const isRefusal = error instanceof RpcError && error.serverMessage !== undefined;
  const text =
    reason === 'FAILED' ? `${method}: ${messageOf(error, reason)}` : messageOf(error, reason);
  return new ProviderError(isRefusal ? -32000 : -32002, text, { cause: error, data });
}
