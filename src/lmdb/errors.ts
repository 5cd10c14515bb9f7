/** What LMDB and the disk below it report, as errors of the tree. */
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { TreeError, type TreeErrorCode } from '../tree/index.js';
import { dataFile } from './length.js';

const { errno } = constants;

/** LMDB's own codes; all others are the operating system's. */
const native = { corrupted: -30796, pageNotFound: -30797, invalid: -30793, version: -30794 };
const readersFull = -30790;
const mapFull = -30792;

const codeByNumber: ReadonlyMap<number, TreeErrorCode> = new Map([
  [mapFull, 'STORE_FULL'],
  [errno.ENOSPC, 'STORE_FULL'],
  [errno.EDQUOT, 'STORE_FULL'],
  [errno.EFBIG, 'STORE_FULL'],
  [errno.EROFS, 'READ_ONLY'],
  [errno.EACCES, 'READ_ONLY'],
  [errno.EPERM, 'READ_ONLY'],
  [native.invalid, 'WRONG_STORE'],
  [native.version, 'WRONG_STORE'],
  [native.corrupted, 'DAMAGED'],
  [native.pageNotFound, 'DAMAGED'],
]);

const hints: Partial<Record<TreeErrorCode, string>> = {
  STORE_FULL: 'there is no room left on its disk; nothing was written',
  READ_ONLY: 'its folder or disk takes no writes',
  WRONG_STORE: 'its files are not what LMDB writes, or another version of it',
  DAMAGED: 'its files do not hang together',
};

/** The number in an error of LMDB, or in one of `node:fs`. */
function numberOf(cause: unknown): number | undefined {
  const { code, errno } = cause as { code?: unknown; errno?: number };
  // Node negates the system's numbers, and puts names into `code`.
  return typeof code === 'number' ? code : errno && Math.abs(errno);
}

/** @param what could not be done, for example `cannot read the store` */
export function storeError(what: string, cause: unknown): TreeError {
  if (cause instanceof TreeError) return cause;
  const number = numberOf(cause);
  const code = (number !== undefined && codeByNumber.get(number)) || 'STORE_FAILED';
  const reason = cause instanceof Error ? cause.message : String(cause);
  const hint =
    number === readersFull
      ? 'too many snapshots are held at a time, in all processes; release some'
      : hints[code];
  return new TreeError(code, `${what}: ${hint ? `${hint}; ` : ''}${reason}`, { cause });
}

export const closedError = (): TreeError => new TreeError('CLOSED', 'the store is closed');

/**
 * Why a commit failed. LMDB reports a write that a full disk has cut short as an I/O error, so the disk is asked again.
 *
 * @param bytes how much the batch holds
 */
export async function commitError(
  cause: unknown,
  folder: string,
  bytes: number,
): Promise<TreeError> {
  // The promise of the reason rejects with it.
  const reason: unknown = await Promise.resolve(
    (cause as { commitError?: Promise<unknown> }).commitError,
  ).then(
    () => cause,
    (error) => error,
  );
  const what = 'cannot write to the store';
  return numberOf(reason) === errno.EIO
    ? storeError(what, roomError(folder, bytes) ?? reason)
    : storeError(what, reason);
}

/** What happens to a file that is as long as the store's and grows; undefined where there is room for it. */
function roomError(folder: string, bytes: number): unknown {
  const file = join(folder, `room-${process.pid}`);
  // A batch changes more pages than it fills.
  const probe = new Uint8Array(Math.min(4 * bytes + (1 << 16), 1 << 26));
  let fd: number | undefined;
  try {
    const { size } = statSync(dataFile(folder));
    fd = openSync(file, 'w');
    // Only what is written takes room, but a limit to a file's length counts from its beginning.
    for (let done = 0; done < probe.length; ) done += writeSync(fd, probe, done, null, size + done);
    return undefined;
  } catch (error) {
    return error;
  } finally {
    if (fd !== undefined) closeSync(fd);
    rmSync(file, { force: true });
  }
}
