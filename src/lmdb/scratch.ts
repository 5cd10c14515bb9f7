/** Temporary files in a folder. */
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Scratch, ScratchFile } from '../tree/index.js';
import { storeError } from './errors.js';

/** Does what may fail as a disk does. */
function attempt<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw storeError(`cannot ${what} a temporary file beside the store`, cause);
  }
}

function openFile(path: string): ScratchFile & { close(): void } {
  let fd: number | undefined = attempt('create', () => openSync(path, 'wx+'));
  let length = 0;
  const close = () => {
    if (fd !== undefined) closeSync(fd);
    fd = undefined;
  };
  return {
    async append(bytes) {
      let from = 0;
      while (from < bytes.length) {
        const rest = bytes.subarray(from);
        from += attempt('write', () =>
          writeSync(fd as number, rest, 0, rest.length, length + from),
        );
      }
      length += bytes.length;
    },
    async read(offset, into) {
      let from = 0;
      while (from < into.length) {
        const rest = into.subarray(from);
        const read = attempt('read', () =>
          readSync(fd as number, rest, 0, rest.length, offset + from),
        );
        if (read === 0) throw storeError('cannot read a temporary file', new Error('it was cut'));
        from += read;
      }
    },
    async delete() {
      close();
      rmSync(path, { force: true });
    },
    close,
  };
}

/**
 * Makes a folder for the temporary files of a load. It is gone once that is closed; what an earlier
 * process left there is removed.
 *
 * @param path nothing else may be in it
 * @throws TreeError `STORE_FULL`, `READ_ONLY`, `STORE_FAILED`
 */
export function folderScratch(path: string): Scratch {
  const clear = () => rmSync(path, { recursive: true, force: true });
  attempt('remove', clear);
  attempt('create', () => mkdirSync(path, { recursive: true }));
  const files: { close(): void }[] = [];
  return {
    async create() {
      const file = openFile(join(path, String(files.length)));
      files.push(file);
      return file;
    },
    async close() {
      for (const file of files.splice(0)) file.close();
      clear();
    },
  };
}
