import { CodedError } from '../../errors.js';

/**
 * - `HEADER_VALUE` the contract asked for a value of the block's header that is neither proven nor supplied
 * - `BLOCK_HASH` the proven state does not hold the hash of an earlier block
 * - `FORK` the rules of the block are not known
 * - `FORK_UNKNOWN` the time of the block is not proven, and nothing else says which rules hold in it
 * - `TOO_MANY_READS` the call reads more accounts, slots or code than the bound
 * - `TOO_MANY_ROUNDS` the call had to run too often, each time with something unknown that it had not read before
 * - `TOO_MUCH_WORK` all rounds together came to more gas, proofs or time than the bound, or more than 256 KiB of code were
 *   to run at once
 * - `UNSUPPORTED` something that the engine does not do
 * - `MISSING_PEER` a package is not installed; the message has the install line
 * - `ENGINE` the EVM package failed; the error's `cause` is what it threw
 */
export type EvmErrorCode =
  | 'HEADER_VALUE'
  | 'BLOCK_HASH'
  | 'FORK'
  | 'FORK_UNKNOWN'
  | 'TOO_MANY_READS'
  | 'TOO_MANY_ROUNDS'
  | 'TOO_MUCH_WORK'
  | 'UNSUPPORTED'
  | 'MISSING_PEER'
  | 'ENGINE';

/** A call has no result; `code` says why. */
export class EvmError extends CodedError<EvmErrorCode> {
  override readonly name = 'EvmError';
}
