/** The functions of an ABI that the reader has pasted. It is read in the worker: a large one takes a while. */
import { type Abi, AbiTextError, parseAbiText } from '../format/abi.js';
import type { Session } from './session.js';

export async function answerAbi(
  _session: Session,
  { text }: { text: string },
): Promise<Abi | { readonly problem: string }> {
  try {
    return parseAbiText(text);
  } catch (error) {
    if (error instanceof AbiTextError) return { problem: error.message };
    throw error;
  }
}
