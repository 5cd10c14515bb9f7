/** Temporary files in a folder. */
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Scratch, type ScratchFile, TreeError } from '../tree/index.js';
import { diskCodes } from './errors.js';
import { makeFolder } from './folder.js';

/** Does work that may fail as a disk does. */
function attempt<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const { errno = 0, message } = cause as NodeJS.ErrnoException;
    // Node negates the system's numbers.
    const code = diskCodes.get(Math.abs(errno)) ?? 'STORE_FAILED';
    throw new TreeError(code, `cannot ${what} a temporary file: ${message}`, { cause });
  }
}

/** A file without a name, which the system removes when it is closed, whatever ends the process. */
function openFile(path: string): ScratchFile & { close(): void } {
  let fd: number | undefined = attempt('create', () => openSync(path, 'wx+'));
  attempt('create', () => rmSync(path));
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
        if (read === 0) throw new TreeError('STORE_FAILED', 'a temporary file was cut');
        from += read;
      }
    },
    delete: async () => close(),
    close,
  };
}

/** @param options.clear what is done once all files are closed */
function createScratch({ newPath, clear }: { newPath: () => string; clear: () => void }): Scratch {
  const files: { close(): void }[] = [];
  return {
    async create() {
      const file = openFile(newPath());
      files.push(file);
      return file;
    },
    async close() {
      for (const file of files.splice(0)) file.close();
      clear();
    },
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
  attempt('create', () => makeFolder(path));
  let count = 0;
  return createScratch({ newPath: () => join(path, String(++count)), clear });
}

/** Temporary files in the folder that the system has for them (`TMPDIR`). */
export const temporaryScratch = (): Scratch =>
  createScratch({
    newPath: () => join(tmpdir(), `l2proof-${crypto.randomUUID()}`),
    clear: () => {},
  });
