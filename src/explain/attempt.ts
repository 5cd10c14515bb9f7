/** Reading of answers that may be no proofs. */
import { ProofError } from '../errors.js';

/** What reading gives, or why it gives nothing. */
export type Attempt<T> =
  | { readonly value: T; readonly fault?: never }
  | { readonly value?: never; readonly fault: ProofError };

/** Reads what a ProofError may refuse. Anything else is thrown. */
export function attempt<T>(read: () => T): Attempt<T> {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof ProofError) return { fault: error };
    throw error;
  }
}
