/** Makes the folder of a store, and looks at files. */
import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Folders on the way to one, itself included, that are not there; the outermost first. */
export function missingFolders(path: string): readonly string[] {
  const missing: string[] = [];
  let folder = resolve(path);
  while (statSync(folder, { throwIfNoEntry: false }) === undefined && dirname(folder) !== folder) {
    missing.unshift(folder);
    folder = dirname(folder);
  }
  return missing;
}

/**
 * Makes a folder, and those on the way to it. One after the other: with `recursive`, Node tries for ever if the
 * system says that there is nothing to make a folder in, as in /proc.
 *
 * @throws any error of mkdir
 */
export function makeFolder(path: string): void {
  for (const folder of missingFolders(path)) {
    try {
      mkdirSync(folder);
    } catch (cause) {
      // Another process may have made it meanwhile.
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    }
  }
}

/** Why a file cannot be read, as the system names it; undefined if it can. */
export function readFailure(file: string): string | undefined {
  try {
    accessSync(file, constants.R_OK);
    return undefined;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code;
  }
}
