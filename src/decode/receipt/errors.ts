import { CodedError, type ErrorParts, quotedPath } from '../../errors.js';

/**
 * - `MALFORMED` what was given is no receipt, transaction or block of JSON-RPC
 * - `MISMATCH` receipt, transaction and block are not of one transaction
 * - `TOO_LARGE` the receipt has more logs, or more bytes of data, than are decoded
 * - `BAD_ABI` an ABI of the caller's is no ABI, or has a type that the ABI specification does not have
 * - `MISSING_PEER` a package that decoding needs is not installed
 */
export type DecodeErrorCode = 'MALFORMED' | 'MISMATCH' | 'TOO_LARGE' | 'BAD_ABI' | 'MISSING_PEER';

/** Nothing was decoded; `code` says why. A single log that cannot be decoded is no error. */
export class DecodeError extends CodedError<DecodeErrorCode> {
  override readonly name = 'DecodeError';
  /** Location of what is wrong, for example `receipt.logs[3].topics`; `` if it is no single place. */
  declare readonly path: string;

  constructor(code: DecodeErrorCode, reason: string, { path = '', cause }: ErrorParts = {}) {
    super(code, reason, { cause, path, before: quotedPath(path) });
  }
}
