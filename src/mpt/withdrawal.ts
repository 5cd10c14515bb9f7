/** Withdrawals of the consensus layer (EIP-4895), written as the root of a block covers them. */
import { addressForm, integer64Form, recordOf } from './forms.js';

/** A withdrawal as JSON-RPC has it. */
export const withdrawal = recordOf([
  ['index', integer64Form],
  ['validatorIndex', integer64Form],
  ['address', addressForm],
  ['amount', integer64Form],
]);
