/** Errors that keep a service from starting, as opposed to its answers. */
import { CodedError } from '../../errors.js';

/**
 * - `MISSING_PEER` a package that this part needs is not installed; the message holds the install line
 * - `KEYS_REQUIRED` a service without keys would be reachable from other machines
 * - `FINALITY_UNKNOWN` the L1 endpoint answered something that is no block height
 * - `WRONG_CACHE` the store that the decoder is to keep its cache in holds something else
 */
export type ServiceErrorCode =
  | 'MISSING_PEER'
  | 'KEYS_REQUIRED'
  | 'FINALITY_UNKNOWN'
  | 'WRONG_CACHE';

/** The service cannot do its work; `code` says why. */
export class ServiceError extends CodedError<ServiceErrorCode> {
  override readonly name = 'ServiceError';
}
