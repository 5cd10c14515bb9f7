/** Reading of answers that may be no proofs. */
import { ProofError } from '../errors.js';

/** What reading gives, or why it gives nothing. Both members are there: no prototype lends one. */
export type Attempt<T> =
  | { readonly value: T; readonly fault: undefined }
  | { readonly value: undefined; readonly fault: ProofError };

/** Reads what a ProofError may refuse. Anything else is thrown. */
export function attempt<T>(read: () => T): Attempt<T> {
  try {
    return { value: read(), fault: undefined };
  } catch (error) {
    if (error instanceof ProofError) return { value: undefined, fault: error };
    throw error;
  }
}
