/** The password of a store stays out of errors, whatever a server makes of it. The server is a real one that repeats. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { Pool } from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { postgresStore } from '../../../src/postgres/index.js';
import type { TreeError } from '../../../src/tree/index.js';
import { patience } from '../../support/runs.js';

let server: Server | undefined;
const sockets = new Set<Socket>();
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const socket of sockets) socket.destroy();
  if (server) await new Promise((done) => server?.close(done));
  server = undefined;
});

const message = (type: string, body: Buffer) => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const failure = (fields: Record<string, string>) =>
  message(
    'E',
    Buffer.from(
      `${Object.entries(fields)
        .flatMap(([type, text]) => `${type}${text}\0`)
        .join('')}\0`,
    ),
  );
const wantsPassword = message('R', Buffer.from([0, 0, 0, 3]));

/** A server that asks for the password in clear text, and makes fields of an error of it. @returns its port */
async function serve(fields: (password: string) => Record<string, string>): Promise<number> {
  const listening = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      if (data[0] !== 0x70) return void socket.write(wantsPassword);
      const password = data.subarray(5, -1).toString();
      socket.end(failure(fields(password)));
    });
  });
  server = listening;
  await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done));
  return (listening.address() as AddressInfo).port;
}

/** All that a log or a JSON of an error, and of what is below it, could show. */
function shownOf(error: object): string {
  const own = (of: object): object =>
    Object.fromEntries(
      Object.getOwnPropertyNames(of).map((name) => {
        const value: unknown = Reflect.get(of, name);
        return [name, value instanceof Error ? own(value) : value];
      }),
    );
  return `${inspect(error, { depth: 9, showHidden: true })} ${JSON.stringify(own(error))}`;
}

const echo = (state: string) => (password: string) => ({
  ...{ S: 'FATAL', V: 'FATAL', C: state, M: `no "${password}"`, D: `it was ${password}` },
  ...{ H: password, W: password, R: password },
});

const passwords: [string, string][] = [
  ['s3cret-pass', 's3cret-pass'],
  ['p%40ss%2Fw%3Ard%25', 'p@ss/w:rd%'],
  ['k7', 'k7'],
  ['q9z', 'q9z'],
  ['%C3%A9t%C3%A9-77', 'été-77'],
];
const states = ['42P01', '3D000', '28P01', 'XX000', '53300', '99999'];

test.each(passwords.flatMap((row) => states.map((state) => [...row, state] as const)))(
  'a server that repeats %s (%s) with SQLSTATE %s',
  async (encoded, plain, state) => {
    const port = await serve(echo(state));
    const connectionString = `postgres://me:${encoded}@127.0.0.1:${port}/base`;
    const error: TreeError = await postgresStore({ connectionString }).catch((cause) => cause);
    expect(error).toMatchObject({ name: 'TreeError' });
    const shown = shownOf(error).replaceAll(String(port), '');
    expect(error.message).toContain(`SQLSTATE ${state}`);
    expect(shown).not.toContain(plain);
    expect(shown).not.toContain(encoded);
    expect(shown).not.toContain(JSON.stringify(plain).slice(1, -1));
  },
);

test.each(['C', 'M', 'S'])('a password in the field %s alone', async (field) => {
  const port = await serve((password) => ({ S: 'FATAL', C: '42P01', M: 'no', [field]: password }));
  const connectionString = `postgres://me:S3CRT@127.0.0.1:${port}/base`;
  const error = await postgresStore({ connectionString }).catch((cause) => cause);
  expect(shownOf(error)).not.toContain('S3CRT');
});

test('a password as a code, of a server that names no severity', async () => {
  const port = await serve((password) => ({ C: password, M: 'no' }));
  const connectionString = `postgres://me:S3CRT@127.0.0.1:${port}/base`;
  const error: TreeError = await postgresStore({ connectionString }).catch((cause) => cause);
  expect(error.message).toBe('cannot open the store: the connection failed: *** (STORE_FAILED)');
  expect(shownOf(error)).not.toContain('S3CRT');
});

test.each([
  ['password=s3cret-9%2B', ['s3cret-9']],
  ['options=endpoint%3Dk3y-77&password=s3cret-9', ['s3cret-9', 'k3y-77']],
])('a password in the query %s', async (query, secrets) => {
  const port = await serve((password) => echo('42P01')(`${password} endpoint=k3y-77`));
  const connectionString = `postgres://me@127.0.0.1:${port}/base?${query}`;
  const error = await postgresStore({ connectionString }).catch((cause) => cause);
  for (const secret of secrets) expect(shownOf(error)).not.toContain(secret);
});

test('a password of the environment', async () => {
  vi.stubEnv('PGPASSWORD', 's3cret-env');
  const port = await serve(echo('42P01'));
  const connectionString = `postgres://me@127.0.0.1:${port}/base`;
  const error = await postgresStore({ connectionString }).catch((cause) => cause);
  expect(shownOf(error)).toContain('no \\"***\\"');
  expect(shownOf(error)).not.toContain('s3cret-env');
});

test.each(['connectionString', 'password'])('a pool of the caller with a %s', async (kind) => {
  const port = await serve(echo('42P01'));
  const parts = { host: '127.0.0.1', port, user: 'me', database: 'base', password: 's3cret-pool' };
  const connectionString = `postgres://me:s3cret-pool@127.0.0.1:${port}/base`;
  const pool = new Pool(kind === 'password' ? parts : { connectionString });
  const error = await postgresStore({ pool: pool as never }).catch((cause) => cause);
  expect(error).toMatchObject({ name: 'TreeError', code: 'WRONG_STORE' });
  expect(shownOf(error)).not.toContain('s3cret-pool');
  await pool.end();
});

test('what an honest server says is shown, with its error as cause', async () => {
  const text = 'relation "l2proof.entry" of me in base does not exist, sslmode=disable';
  const port = await serve(() => ({ S: 'ERROR', V: 'ERROR', C: '42P01', M: text }));
  const target = `me:s3cret-pass@127.0.0.1:${port}/base?sslmode=disable&application_name=l2proof`;
  const connectionString = `postgres://${target}`;
  const error: TreeError = await postgresStore({ connectionString }).catch((cause) => cause);
  expect(error.message).toContain(text);
  expect(error.cause).toMatchObject({ code: '42P01', message: text });
});

test(
  'the command shows no password either',
  async () => {
    const port = await serve(echo('42P01'));
    const store = `postgres://me:p%40ss-77@127.0.0.1:${port}/base`;
    for (const args of [
      ['load', '--store', store, 'package.json'],
      ['serve', '--store', store, '--finality', '1', '--port', '0'],
      ['follow', '--store', store, '--l2', 'http://127.0.0.1:1', '--fork', 'prague'],
    ]) {
      const child = spawn(process.execPath, ['dist/cli/main.js', ...args]);
      let text = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          text += chunk;
        });
      // A command that tries on is ended once it has said why.
      const timer = setTimeout(() => child.kill(), 5000);
      await once(child, 'close');
      clearTimeout(timer);
      expect([args[0], text]).toEqual([args[0], expect.stringContaining('SQLSTATE 42P01')]);
      expect(text).not.toMatch(/p@ss|p%40ss|ss-77/);
    }
  },
  4 * patience,
);
