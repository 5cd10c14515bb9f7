/** Errors that keep a service from starting, as opposed to its answers. */
import { CodedError } from '../../errors.js';

/**
 * - `MISSING_PEER` a package that this part needs is not installed; the message holds the install line
 * - `KEYS_REQUIRED` a service without keys would be reachable from other machines
 * - `FINALITY_UNKNOWN` the L1 endpoint answered something that is no block height
 * - `WRONG_CACHE` the store that the decoder is to keep its cache in holds something else
 * - `WRONG_PAGE` a file of the explorer is missing, or another than the package was built with; the message names it
 */
export type ServiceErrorCode =
  | 'MISSING_PEER'
  | 'KEYS_REQUIRED'
  | 'FINALITY_UNKNOWN'
  | 'WRONG_CACHE'
  | 'WRONG_PAGE';

/** The service cannot do its work; `code` says why. */
export class ServiceError extends CodedError<ServiceErrorCode> {
  override readonly name = 'ServiceError';
}
