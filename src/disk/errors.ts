/** Errors of a disk, as errors of the tree. */
import { constants } from 'node:os';
import type { TreeErrorCode } from '../tree/index.js';

const { errno } = constants;

/** By the operating system's number of the error; every other is `STORE_FAILED`. */
export const diskCodes: ReadonlyMap<number, TreeErrorCode> = new Map([
  [errno.ENOSPC, 'STORE_FULL'],
  [errno.EDQUOT, 'STORE_FULL'],
  [errno.EFBIG, 'STORE_FULL'],
  [errno.EROFS, 'READ_ONLY'],
  [errno.EACCES, 'READ_ONLY'],
  [errno.EPERM, 'READ_ONLY'],
]);
