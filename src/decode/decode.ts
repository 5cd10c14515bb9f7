/** One transaction, decoded. */
import { DecodeError } from './errors.js';
import type { DecodeInput, LogsInput, MissingMetadata } from './input.js';
import type { DecodeResponse } from './types.js';

/**
 * Decodes the logs of a transaction into events that a person can read. Pure: it asks nobody, and tells nothing that is
 * not in what it was given. A log that cannot be decoded never affects the others.
 *
 * @throws DecodeError if receipt, transaction or block are none, or not of one transaction
 */
export function decodeTransaction(input: DecodeInput): DecodeResponse {
  throw new DecodeError('MALFORMED', 'not built yet', { path: Object.keys(input)[0] ?? '' });
}

/**
 * Names the contracts that decoding would like to know more of. Call it again with what was learnt: tokens of pools
 * are named once the pools are known. What a contract did not answer should be given as an entry without members, so
 * that it is not named again.
 *
 * @throws DecodeError if the receipt is none
 */
export function missingMetadata(input: LogsInput): MissingMetadata {
  throw new DecodeError('MALFORMED', 'not built yet', { path: Object.keys(input)[0] ?? '' });
}
