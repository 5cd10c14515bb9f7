/** A server with TLS, whose certificate is its own authority, and what each mode makes of it. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from '../../src/cli/exit/failures.js';
import { postgresStore } from '../../src/postgres/index.js';
import type { TreeError } from '../../src/tree/index.js';
import { newFolder } from '../support/folder.js';
import { asUser, type Postgres, startPostgres } from '../support/postgres.js';
import { patience } from '../support/runs.js';
import { url as plain } from './schemas.js';

let folder: string;
let server: Postgres;

/** A certificate that is its own authority. */
function certify(name: string, holder: string): void {
  const args = [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ...['-days', '2', '-subj', `/CN=${name}`, '-addext', `subjectAltName=${holder}`],
    ...['-keyout', `${name}.key`, '-out', `${name}.pem`],
  ];
  execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
}

beforeAll(async () => {
  folder = newFolder();
  chmodSync(folder, 0o755);
  certify('own', 'IP:127.0.0.1');
  certify('other', 'IP:127.0.0.2');
  writeFileSync(join(folder, 'garbage.pem'), 'garbage');
  const { uid, gid } = asUser();
  const key = join(folder, 'own.key');
  if (uid !== undefined && gid !== undefined) chownSync(key, uid, gid);
  chmodSync(key, 0o600);
  const files = [`ssl_cert_file=${join(folder, 'own.pem')}`, `ssl_key_file=${key}`];
  server = await startPostgres(['ssl=on', ...files]);
}, patience);
afterAll(() => server.close(), patience);

const at = (name: string) => join(folder, name);

/** Opens a store, and lets the server tell whether the connection is encrypted. */
async function isEncrypted(query: string): Promise<boolean> {
  const connectionString = `${server.url}${query}`;
  const store = await postgresStore({ connectionString });
  try {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query(
      `SELECT bool_and(ssl) AS all FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
      WHERE application_name = 'l2proof'`,
    );
    await client.end();
    return rows[0].all;
  } finally {
    await store.close();
  }
}

describe('a connection', () => {
  test.each<[string, () => string, boolean]>([
    ['verify-full with the authority', () => `verify-full&sslrootcert=${at('own.pem')}`, true],
    ['require with the authority', () => `require&sslrootcert=${at('own.pem')}`, true],
    ['verify-ca with the authority', () => `verify-ca&sslrootcert=${at('own.pem')}`, true],
    ['no-verify', () => 'no-verify', true],
    ['disable', () => 'disable', false],
  ])('with %s', async (_, mode, encrypted) => {
    expect(await isEncrypted(`?sslmode=${mode()}`)).toBe(encrypted);
  });
});

const untrusted =
  /DEPTH_ZERO_SELF_SIGNED_CERT; .*pass the one of its authority as sslrootcert=FILE/;

describe('is refused, for good,', () => {
  test.each<[string, () => string, RegExp]>([
    ['require without the authority', () => 'require', untrusted],
    ['verify-full without the authority', () => 'verify-full', untrusted],
    [
      'verify-full with another authority',
      () => `verify-full&sslrootcert=${at('other.pem')}`,
      untrusted,
    ],
    [
      'verify-full with a file that is none',
      () => `verify-full&sslrootcert=${at('garbage.pem')}`,
      untrusted,
    ],
    [
      'a certificate of a client with the key of another',
      () => `no-verify&sslcert=${at('own.pem')}&sslkey=${at('other.key')}`,
      /ERR_OSSL_X509_KEY_VALUES_MISMATCH/,
    ],
    [
      'a certificate of a client that is none',
      () => `no-verify&sslcert=${at('garbage.pem')}&sslkey=${at('garbage.pem')}`,
      /ERR_OSSL_PEM_NO_START_LINE/,
    ],
  ])('with %s', async (_, mode, message) => {
    const error: TreeError = await postgresStore({
      connectionString: `${server.url}?sslmode=${mode()}`,
      readOnly: true,
    }).then(
      () => expect.fail('expected an error'),
      (cause) => cause,
    );
    expect(error.code).toBe('STORE_FAILED');
    expect(error.message).toMatch(message);
    expect(failureOf(error, 'serve')?.exitCode).toBe(3);
  });

  test('with a certificate that names another host', async () => {
    const own = new URL(server.url);
    own.hostname = 'localhost';
    const connectionString = `${own.href}?sslmode=verify-full&sslrootcert=${at('own.pem')}`;
    await expect(postgresStore({ connectionString })).rejects.toThrow(
      /ERR_TLS_CERT_ALTNAME_INVALID; .*names another host/,
    );
  });

  test.each(['require', 'verify-full', 'no-verify', 'prefer'])(
    'with sslmode=%s by a server without TLS, which is said',
    async (mode) => {
      const connectionString = `${plain}?sslmode=${mode}`;
      await expect(postgresStore({ connectionString })).rejects.toThrow(
        /the server has no TLS, which sslmode asks for/,
      );
    },
  );
});
