/**
 * The files that this process has open. LMDB opens a file once in a process, and every later user
 * gets the first one's environment. After a reader, a writer would get an environment that takes no
 * writes; and once that writer has failed, all further ones would fail until the process ends.
 */
import { existsSync, statSync } from 'node:fs';
import { TreeError } from '../tree/index.js';

interface Shared {
  /** As the first user opened it. */
  readonly readOnly: boolean;
  users: number;
}

/** By device and inode, which name a file however its path is written. */
const shared = new Map<string, Shared>();

function fileKey(file: string): string {
  const { dev, ino } = statSync(file, { bigint: true });
  return `${dev} ${ino}`;
}

/** Checks that a file can still be opened to write. @throws TreeError `STORE_FAILED` */
export function checkShared(file: string): void {
  if (!existsSync(file) || !shared.get(fileKey(file))?.readOnly) return;
  throw new TreeError(
    'STORE_FAILED',
    'this process has the store open to read only; close that first, or open it to write before',
  );
}

/** Takes note of a file that was opened. @returns to be called once it is closed */
export function share(file: string, readOnly: boolean): () => void {
  const name = fileKey(file);
  const one = shared.get(name) ?? { readOnly, users: 0 };
  one.users++;
  shared.set(name, one);
  return () => {
    one.users--;
    if (one.users === 0) shared.delete(name);
  };
}
