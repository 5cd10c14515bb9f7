/** Errors of our modules, as the page shows them. */
import type { Failure } from './protocol.js';

/** Errors that are about an answer itself: it is false, or no answer. */
const refusing: readonly string[] = ['ShapeError', 'VerificationError'];

/** Codes of the other errors that refuse an answer, whichever module has them. */
const refused: readonly string[] = [
  ...['BAD_PROOF', 'BAD_ANSWER', 'NOT_VERIFIED', 'DISAGREEMENT', 'WRONG_IMPLEMENTATION'],
  ...['WRONG_FAMILY', 'WRONG_HEADER', 'WRONG_RECEIPTS', 'WRONG_TRANSACTIONS'],
  ...['WRONG_WITHDRAWALS', 'UNKNOWN_HEADER_FIELD', 'BAD_ENVELOPE', 'WRONG_ID'],
  ...['WRONG_NETWORK', 'CODE_MISMATCH', 'MALFORMED', '-31001'],
  ...['BAD_SIGNATURE', 'BAD_COMMITTEE', 'BAD_FINALITY', 'BAD_EXECUTION', 'BAD_ORDER'],
  ...['WRONG_CHECKPOINT', 'NO_SIGNERS'],
];

/** Codes of what asking again would not change. */
const impossible: readonly string[] = [
  ...['NO_DATA_INTERFACE', 'NOT_PROVEN', 'NOT_PROVABLE', 'TOO_OLD', 'NO_BLOCK_HASHES'],
  ...['RANGE_TOO_WIDE', 'FORK_UNKNOWN', 'INVALID_REQUEST', 'NOT_FOUND', 'TOO_MANY_BLOCKS'],
  ...['SEVERAL_MESSAGES', 'HAS_UNCLES', 'UNKNOWN_TYPE', 'NO_STATE_ROOT', 'OLD_CHECKPOINT'],
  ...['-31003', '-32602', '3'],
];

const kindOf = (name: string, code: string): Failure['kind'] => {
  if (refusing.includes(name) || refused.includes(code)) return 'refused';
  return impossible.includes(code) || /^(Type|Range)Error$/.test(name) ? 'impossible' : 'unknown';
};

/** @param error anything that was thrown */
export function toFailure(error: unknown): Failure {
  const {
    name = 'Error',
    code,
    message,
    data,
  } = error as Partial<Error> & {
    readonly code?: unknown;
    readonly data?: { readonly reason?: unknown };
  };
  const kind = kindOf(name, String(code));
  const reason = typeof data?.reason === 'string' ? data.reason : code;
  return { kind, code: String(reason ?? name), message: String(message) };
}
