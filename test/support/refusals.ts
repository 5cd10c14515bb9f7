/** The one way in which an answer must be refused, as the second verifier says it. */
import {
  type HashFamily,
  type ProofClaim,
  ShapeError,
  VerificationError,
} from '../../src/index.js';
import { Refused, verifyByPage } from './protocol.js';
import { type PageRun, verifyTracesByPage } from './protocolTraces.js';

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
  // The answer alone shows it.
  'no storageProofs': 'ShapeError',
  count: 'SLOT_COUNT',
  'left out': 'SLOT_WITHHELD',
  'a slot of no account': 'SLOT_OF_ABSENT_ACCOUNT',
};

/** What an answer that does not hold for its claim, or a claim of hex that cannot be one, must be refused with. */
export function refusalByPage(result: unknown, claim: ProofClaim, family: HashFamily): string {
  const { stateRoot, address, storageKeys = [] } = claim;
  try {
    verifyByPage(result, { stateRoot, address, storageKeys: [...storageKeys], family });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.law === '4.1') return 'RangeError';
    if (error.law === '3.7') return 'WRONG_FAMILY';
    if (/^[23]\./.test(error.law)) return 'ShapeError';
    return codeOf[error.what] ?? `no code for ${error.message}`;
  }
  throw new Error('the page accepts the edited answer');
}

/** Part of section 7 of the page -> the code of its law. */
const traceCodeOf: Record<string, string> = {
  'index beyond nextFreeNode': 'INDEX_OUT_OF_RANGE',
  'not nextFreeNode': 'NOT_NEXT_FREE_NODE',
  hKey: 'HKEY_MISMATCH',
  hValue: 'HVALUE_MISMATCH',
  'not between': 'KEY_NOT_BETWEEN',
  'not neighbours': 'NOT_NEIGHBOURS',
  'sub-tree root': 'SUB_TREE_ROOT_MISMATCH',
  'new root': 'NEW_ROOT_MISMATCH',
  'parent root': 'PARENT_ROOT_MISMATCH',
  chain: 'CHAIN_BROKEN',
  tie: 'STORAGE_TIE',
  'no account': 'STORAGE_WITHOUT_ACCOUNT',
  'late write': 'WRITE_AFTER_ACCOUNT',
  'end root': 'END_ROOT_MISMATCH',
};

/** What blocks of traces must be refused with; undefined if they must be accepted. */
export function traceRefusalByPage(blocks: readonly unknown[][], run: PageRun): string | undefined {
  try {
    verifyTracesByPage(blocks, run);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (/^([23]\.|7\.1$)/.test(error.law)) return 'ShapeError';
    return traceCodeOf[error.what] ?? `no code for ${error.message}`;
  }
}
