/** Errors of LMDB and of the disk below it, as errors of the tree. */
import { constants } from 'node:os';
import { diskCodes } from '../disk/errors.js';
import { TreeError, type TreeErrorCode } from '../tree/index.js';

const { errno } = constants;

/** LMDB's own codes; all others are the disk's. */
const native = { corrupted: -30796, pageNotFound: -30797, invalid: -30793, version: -30794 };
const readersFull = -30790;
const mapFull = -30792;

const codeByNumber: ReadonlyMap<number, TreeErrorCode> = new Map([
  ...diskCodes,
  [mapFull, 'STORE_FULL'],
  [native.invalid, 'WRONG_STORE'],
  [native.version, 'WRONG_STORE'],
  [native.corrupted, 'DAMAGED'],
  [native.pageNotFound, 'DAMAGED'],
]);

const hints: Partial<Record<TreeErrorCode, string>> = {
  STORE_FULL: 'there is no room left on its disk; nothing was written',
  READ_ONLY: 'its folder or disk takes no writes',
  WRONG_STORE: 'its files are not what LMDB writes, or another version of it',
  DAMAGED: 'its files are inconsistent',
};

const noRight = 'this user lacks the rights to its folder or files';
const numberHints: ReadonlyMap<number | undefined, string> = new Map([
  [readersFull, 'too many snapshots are held at a time, in all processes; release some'],
  [errno.EACCES, noRight],
  [errno.EPERM, noRight],
]);

/** The number in an error of LMDB, or in one of `node:fs`. */
function numberOf(cause: unknown): number | undefined {
  const { code, errno } = cause as { code?: unknown; errno?: number };
  // Node negates the system's numbers, and puts names into `code`.
  return typeof code === 'number' ? code : errno && Math.abs(errno);
}

/** @param what could not be done, for example `cannot read the store` */
export function lmdbError(what: string, cause: unknown): TreeError {
  if (cause instanceof TreeError) return cause;
  const number = numberOf(cause);
  const code = (number !== undefined && codeByNumber.get(number)) || 'STORE_FAILED';
  const reason = cause instanceof Error ? cause.message : String(cause);
  const hint = numberHints.get(number) ?? hints[code];
  return new TreeError(code, `${what}: ${hint ? `${hint}; ` : ''}${reason}`, { cause });
}

export const lmdbClosedError = (): TreeError => new TreeError('CLOSED', 'the store is closed');

/**
 * Why a commit failed. LMDB reports a write that a full disk has cut short as an I/O error, so the disk is asked.
 *
 * @param roomError what the disk says of so many bytes
 */
export async function commitError(cause: unknown, roomError: () => unknown): Promise<TreeError> {
  // The promise of the reason rejects with it.
  const reason: unknown = await Promise.resolve(
    (cause as { commitError?: Promise<unknown> }).commitError,
  ).then(
    () => cause,
    (error) => error,
  );
  const isCut = numberOf(reason) === errno.EIO;
  return lmdbError('cannot write to the store', (isCut && roomError()) || reason);
}
