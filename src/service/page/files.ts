/** The files of the explorer, as the package was built with them. */
import { readFile, stat } from 'node:fs/promises';
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex } from '../../bytes.js';
import { ServiceError } from '../http/errors.js';

/** A file of the explorer. */
export interface PageFile {
  /** Path in the folder, such as `assets/index-Cy9kw2Zk.js`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** SHA-256, in hex. */
  readonly hash: string;
}

/** Names the SHA-256 of each of the others. */
export const manifestName = 'files.json';

/** Bounds of what is read, all files together: many times what there is. */
const mostFiles = 500;
const mostBytes = 32 * 1024 * 1024;

/** A path without segments of dots. */
const nameForm = /^(?:\w[\w.-]*\/)*\w[\w.-]*$/;

const wrongPage = (reason: string, cause?: unknown): ServiceError => {
  const text = `the explorer of this package cannot be served: ${reason}; install the package again, or build its clone`;
  return new ServiceError('WRONG_PAGE', text, { cause });
};

/** Where the package has it, whichever file of the package this code stands in. @throws ServiceError */
function ownFolder(): URL {
  try {
    return new URL('dist/page/', import.meta.resolve('l2proof/package.json'));
  } catch (cause) {
    throw wrongPage('its files are not found from the code that serves them', cause);
  }
}

/** SHA-256, in hex. */
export const hashOf = (bytes: Uint8Array): string => encodeHex(sha256(bytes)).slice(2);

/** Names of files and their SHA-256. @throws ServiceError */
function parseManifest(text: string): [name: string, hash: string][] {
  const wrong = (reason: string, cause?: unknown) => wrongPage(`${manifestName} ${reason}`, cause);
  let files: unknown;
  try {
    files = JSON.parse(text);
  } catch (cause) {
    throw wrong('is no JSON', cause);
  }
  if (typeof files !== 'object' || files === null) throw wrong('is no object of hashes');
  const entries = Object.entries(files);
  if (entries.length > mostFiles) throw wrong(`names more than ${mostFiles} files`);
  for (const [name, hash] of entries) {
    if (!nameForm.test(name)) throw wrong('names a file that cannot be one of its folder');
    if (typeof hash !== 'string' || !/^[\da-f]{64}$/.test(hash)) {
      throw wrong(`has no SHA-256 of ${name}`);
    }
  }
  return entries;
}

/**
 * Reads the files that `files.json` names, and that file.
 *
 * @param folder default: the package's own
 * @throws ServiceError `WRONG_PAGE` for one that is missing, too long or another than it names
 */
export async function readPageFiles(folder: URL = ownFolder()): Promise<PageFile[]> {
  let left = mostBytes;

  async function read(name: string): Promise<PageFile> {
    const place = new URL(name, folder);
    let bytes: Uint8Array;
    try {
      const about = await stat(place);
      if (!about.isFile()) throw new Error('it is no file');
      left -= about.size;
      if (left < 0) throw new Error(`the files have more than ${mostBytes} bytes`);
      bytes = await readFile(place);
    } catch (cause) {
      throw wrongPage(`${name} cannot be read: ${(cause as Error).message}`, cause);
    }
    return { name, bytes, hash: hashOf(bytes) };
  }

  const manifest = await read(manifestName);
  const files = [manifest];
  for (const [name, hash] of parseManifest(new TextDecoder().decode(manifest.bytes))) {
    const file = await read(name);
    if (file.hash !== hash) {
      throw wrongPage(`${name} is another file than the one that ${manifestName} names`);
    }
    files.push(file);
  }
  return files;
}

/** The `Content-Security-Policy` that `index.html` sets for itself. @throws ServiceError `WRONG_PAGE` */
export function findPolicy(files: readonly PageFile[]): string {
  const index = files.find(({ name }) => name === 'index.html');
  const text = new TextDecoder().decode(index?.bytes);
  const [, policy] = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(text) ?? [];
  if (policy === undefined) throw wrongPage('index.html sets no Content-Security-Policy');
  return policy.replace(/\s+/g, ' ');
}
