/** Answers of contracts, run here on proven state. */
import type { AnchoredRoot } from '../../anchor/index.js';
import type { Hex } from '../../index.js';
import type { ContractCall } from '../format/calls.js';
import { codeOf } from './codeOf.js';
import type { Means } from './means.js';
import type { Session } from './session.js';

export interface ContractAnswer {
  /** In hex; undefined if the contract refuses the call, or if what it answers cannot be proven. */
  readonly answer: Hex | undefined;
  /** Undefined if there is no answer. */
  readonly anchor: AnchoredRoot | undefined;
  /** What it rests on beside proofs: `fork` for the rules of the block. */
  readonly assumed: readonly string[];
}

/** Codes of calls that were run, and have no answer: they revert, fail, or hang on what is not proven. */
const without: readonly unknown[] = [3, -32000, -31003];

/** Gas of a question: many times what an honest contract takes, and less than a second of work. */
const gas: Hex = '0x4c4b40';

/** @throws ProviderError if an answer was refused, or could not be found out */
export async function askContract(
  session: Session,
  call: ContractCall,
  { signal }: Pick<Means, 'signal'>,
): Promise<ContractAnswer> {
  const provider = await session.provider();
  try {
    const params = [{ ...call, gas }, 'latest'];
    const found = await provider.explain({ method: 'eth_call', params, signal });
    const { result, anchor, assumed } = found;
    const isProven = assumed.every((word) => word === 'fork');
    return { answer: isProven ? (result as Hex) : undefined, anchor, assumed };
  } catch (error) {
    if (!without.includes(codeOf(error))) throw error;
    return { answer: undefined, anchor: undefined, assumed: [] };
  }
}
