/** Withdrawals of the consensus layer (EIP-4895), written as the root of a block covers them. */
import { address, integer64, recordOf } from './forms.js';

/** A withdrawal as JSON-RPC has it. */
export const withdrawal = recordOf([
  ['index', integer64],
  ['validatorIndex', integer64],
  ['address', address],
  ['amount', integer64],
]);
