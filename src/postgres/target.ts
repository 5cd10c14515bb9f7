/** Looks at a connection string before `pg` does: what `pg` throws about one repeats it, or says nothing. */
import { readFailure } from '../disk/folder.js';

/** What `sslmode` may be, as `pg` has it. */
const modes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

const files = ['sslrootcert', 'sslcert', 'sslkey'];

/**
 * Whether a password with a character of its own has ended the host early: the rest, with the @ in front of the real
 * host, stands where a database or a parameter does.
 */
const isCut = ({ hash, pathname, search }: URL): boolean =>
  hash !== '' || pathname.includes('@') || /^\?[^=&]*@/.test(search);

const fail = (text: string): never => {
  throw new RangeError(`"connectionString" ${text}`);
};

/** @throws RangeError, which shows no part of it but the name of a mode and of a file */
export function checkTarget(text: string): void {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) {
    fail(
      'expected postgres://USER:PASSWORD@HOST:PORT/DATABASE, special characters percent-encoded',
    );
  }
  const url = new URL(text);
  if (isCut(url)) {
    fail(
      'expected a user and a password whose special characters are percent-encoded: %23 for #, %2F for /, %3F for ?, %40 for @',
    );
  }
  const mode = url.searchParams.get('sslmode');
  if (mode !== null && !modes.includes(mode))
    fail(`expected sslmode to be one of ${modes.join(', ')}`);
  for (const name of files) {
    const file = url.searchParams.get(name);
    const failure = file ? readFailure(file) : undefined;
    if (failure !== undefined) fail(`expected ${name} to name a file that can be read: ${failure}`);
  }
}
