/** The one way in which an answer must be refused, as the second verifier says it. */
import {
  type HashFamily,
  type ProofClaim,
  ShapeError,
  VerificationError,
} from '../../src/index.js';
import { Refused, verifyByPage } from './protocol.js';

/** Name of the class, or the code, that a call refuses an answer with; undefined if it accepts it. */
export function codeOfRefusal(verify: () => unknown): string | undefined {
  try {
    verify();
    return undefined;
  } catch (error) {
    if (error instanceof VerificationError) return error.code;
    if (error instanceof ShapeError) return 'ShapeError';
    throw error;
  }
}

/** Part of section 4 of the page -> the code of its law. */
const codeOf: Record<string, string> = {
  key: 'KEY_MISMATCH',
  hKey: 'HKEY_MISMATCH',
  hValue: 'HVALUE_MISMATCH',
  'head or tail': 'HEAD_OR_TAIL',
  'not between': 'KEY_NOT_BETWEEN',
  'not neighbours': 'NOT_NEIGHBOURS',
  'index beyond nextFreeNode': 'INDEX_OUT_OF_RANGE',
  root: 'ROOT_MISMATCH',
  'sub-tree root': 'SUB_TREE_ROOT_MISMATCH',
  count: 'SLOT_COUNT',
  'left out': 'SLOT_WITHHELD',
  'a slot of no account': 'SLOT_OF_ABSENT_ACCOUNT',
};

/** What an answer that does not hold for its claim must be refused with. */
export function refusalByPage(result: unknown, claim: ProofClaim, family: HashFamily): string {
  const { stateRoot, address, storageKeys = [] } = claim;
  try {
    verifyByPage(result, { stateRoot, address, storageKeys: [...storageKeys], family });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.law === '3.7') return 'WRONG_FAMILY';
    if (/^[23]\./.test(error.law)) return 'ShapeError';
    return codeOf[error.what] ?? `no code for ${error.message}`;
  }
  throw new Error('the page accepts the edited answer');
}
