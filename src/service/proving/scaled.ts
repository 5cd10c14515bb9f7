/** Amounts of ERC-20 contracts, with the decimals that scale them: those are proven beside them if they can be. */
import type { AbiCall } from '../../abi/call.js';
import { questions } from '../../abi/tokens.js';
import type { Hex } from '../../bytes.js';
import type { AnswerContext } from '../jsonrpc/method.js';
import type { Prover } from './prover.js';

const decimalsCall = (to: Hex): AbiCall => ({ to, data: questions.decimals });

/** Asks contracts for their decimals, so that these can be cited. @throws what the pause throws */
export async function attemptDecimals(
  contracts: readonly Hex[],
  { prover, context }: { readonly prover: Prover; readonly context: AnswerContext },
): Promise<void> {
  context.charge(contracts.length);
  await prover.attempt(contracts.map(decimalsCall), context.pause);
}

/** The accounts that prove calls about amounts of a contract, and its decimals if they can be proven, too. */
export const citeScaled = (
  prover: Prover | undefined,
  contract: Hex,
  calls: readonly AbiCall[],
): readonly Hex[] | undefined =>
  prover?.cite([...calls, decimalsCall(contract)]) ?? prover?.cite(calls);
