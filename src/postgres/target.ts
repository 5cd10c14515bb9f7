/** Checks a connection string before `pg` does: the errors of `pg` repeat the string, or say nothing. */
import { readFailure } from '../disk/folder.js';
import { wrongRange } from '../errors.js';

/** Values of `sslmode`, as `pg` has them. */
const modes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

const files = ['sslrootcert', 'sslcert', 'sslkey'];

/** The parameters about TLS that `pg` knows: it passes over any other one, and over a mode that it does not know. */
const tlsNames = ['sslmode', ...files, 'sslnegotiation', 'ssl', 'uselibpqcompat'];

/** Values of some of them, as `pg` has them. */
const values = {
  sslmode: modes,
  ssl: ['true', '1', '0', 'no-verify'],
  sslnegotiation: ['postgres', 'direct'],
};

/**
 * Whether a password with a character of its own has ended the host early: the rest, with the @ in front of the real
 * host, stands where a database or a parameter does.
 */
function isCut({ hash, pathname, search, username }: URL): boolean {
  const isWord = /^\?[^=&]*@/.test(search);
  return (
    hash !== '' ||
    pathname.includes('@') ||
    isWord ||
    (username + pathname === '' && search.includes('@'))
  );
}

/** Whether percent-encoded bytes are text. */
function isText(encoded: string): boolean {
  try {
    decodeURIComponent(encoded.replace(/%(?![0-9a-f]{2})/gi, '%25'));
    return true;
  } catch {
    return false;
  }
}

const fail = (text: string): never => {
  throw wrongRange('connectionString', `${text}`);
};

/** Checks the parameters that ask for TLS: a slip there would leave the connection in plain text. @throws RangeError */
function checkTls(parameters: URLSearchParams): void {
  for (const name of parameters.keys()) {
    if (/ssl|tls/i.test(name) && !tlsNames.includes(name))
      fail(`has an unknown parameter about TLS; those that count are ${tlsNames.join(', ')}`);
  }
  for (const [name, known] of Object.entries(values)) {
    if (parameters.getAll(name).some((value) => !known.includes(value)))
      fail(`expected ${name} to be one of ${known.join(', ')}`);
  }
  const mode = process.env.PGSSLMODE || 'disable';
  if (!parameters.has('sslmode') && !modes.includes(mode))
    fail(`has no sslmode, and expected that of PGSSLMODE to be one of ${modes.join(', ')}`);
  for (const name of files) {
    const file = parameters.get(name);
    const failure = file ? readFailure(file) : undefined;
    if (failure !== undefined) fail(`expected ${name} to name a file that can be read: ${failure}`);
  }
}

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
  if (![url.username, url.password, url.hostname, url.pathname].every(isText))
    fail('expected percent-encoded characters to be UTF-8: %25 for %, %C3%A9 for é');
  checkTls(url.searchParams);
}
