/** What the failure of a store is to the process. */
import { constants } from 'node:os';
import type { TreeError } from '../../tree/index.js';
import { exitCodes } from './exit.js';

/** Causes that stay until somebody mends them: a place where no store can be, a refused user, an untrusted server. */
const lasting: readonly string[] = [
  ...['EACCES', 'EINVAL', 'ELOOP', 'ENAMETOOLONG', 'ENOENT', 'ENOSYS', 'ENOTDIR', 'EPERM'],
  ...['3D000', 'NO_TLS', 'POOLER'],
];

/** The system's names of its errors; LMDB has their numbers. */
const nameOf = (code: unknown): unknown =>
  typeof code === 'number'
    ? Object.entries(constants.errno).find(([, number]) => number === code)?.[0]
    : code;

function isLasting(cause: unknown): boolean {
  const code = nameOf((cause as { code?: unknown } | undefined)?.code);
  // 28: the user or the password is refused. ERR_OSSL: files of certificates and keys that are none.
  return (
    typeof code === 'string' && (lasting.includes(code) || /^28|CERT|_ISSUER|^ERR_OSSL/.test(code))
  );
}

/** Exit code of a store that failed, if that may be over at the next try: no answer, no room, another writer. */
export const storeExit = ({ cause }: TreeError): number =>
  isLasting(cause) ? exitCodes.usage : exitCodes.unknown;
