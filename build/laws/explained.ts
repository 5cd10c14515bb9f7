/** Lines of the verifier at which no forgery of the vectors ends, and why. */
import type { Site } from './sites.js';

interface Explained {
  readonly at: readonly [file: string, place: string];
  readonly codes: readonly string[];
  readonly why: string;
}

const explained: readonly Explained[] = [
  {
    at: ['src/verify/existence.ts', 'verifyExistence'],
    codes: ['WRONG_KIND'],
    why: 'only a caller who shows a single key asks for a kind',
  },
  {
    at: ['src/verify/nonExistence.ts', 'verifyNonExistence'],
    codes: ['WRONG_KIND'],
    why: 'only a caller who shows a single key asks for a kind',
  },
  {
    at: ['src/verify/existence.ts', 'checkHKey'],
    codes: ['HEAD_OR_TAIL'],
    why: 'nobody knows a key with such a hash; the tests bring the hash',
  },
  {
    at: ['src/proven/accountProof.ts', 'verifyingSlots'],
    codes: ['KEY_MISMATCH', 'SLOT_COUNT'],
    why: 'the test makes tries of its own',
  },
  {
    at: ['src/proven/accountProof.ts', 'onPath'],
    codes: ['NOT_ON_PATH'],
    why: 'the test makes tries of its own',
  },
  {
    at: ['src/tree/prove/answerCheck.ts', 'checkSlots'],
    codes: ['SLOT_WITHHELD'],
    why: "it is the prover's check of its own answer, before that is sent",
  },
  {
    at: ['src/trace/index.ts', 'verifyTransition'],
    codes: ['END_ROOT_MISMATCH'],
    why: 'the test gives true traces another end root',
  },
];

/** Why no forgery ends at a line; undefined if nobody says so. */
export const reasonFor = ({ file, place, code }: Site): string | undefined =>
  explained.find(({ at, codes }) => at[0] === file && at[1] === place && codes.includes(code))?.why;

const installed = '`api/package.test.ts` imports the entry without its package';

/** Codes of other classes that no test of their folder names, and why. */
const untested: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  HistoryErrorCode: {
    MISSING_PEER: installed,
    TOO_MANY_LOGS: 'it takes a million logs, and a gigabyte',
  },
  MessageErrorCode: { MISSING_PEER: installed },
};

/** @returns undefined if tests must name it */
export const untestedFor = (type: string, code: string): string | undefined =>
  untested[type]?.[code];
