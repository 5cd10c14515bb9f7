/** Connection strings that are refused before they are used, and those that are not. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { checkTarget } from '../../../src/postgres/target.js';
import { newFolder } from '../../support/folder.js';

const file = join(newFolder(), 'ca.pem');
writeFileSync(file, '');

afterEach(() => {
  vi.unstubAllEnvs();
});

const encoded = /percent-encoded: %23 for #/;
const modes = /expected sslmode to be one of disable, .*verify-full/;

test.each<[string, RegExp]>([
  ['mysql://u:hunter2@h/db', /expected postgres:/],
  ['postgres:u:hunter2@h/db', /expected postgres:/],
  ['postgres://u:hunter2/x@h/db', /special characters percent-encoded/],
  ['postgres://u:12#hunter2@h/db', encoded],
  ['postgres://u:12/hunter2@h/db', encoded],
  ['postgres://u:12?hunter2@h/db', encoded],
  ['postgres://u:12?hunter2=1@h/db', encoded],
  ['postgres://u:12?hunter2&x@h/db', encoded],
  ['postgres://u:hunter2%e9@h/db', /to be UTF-8: %25 for %/],
  ['postgres://u%ff:hunter2@h/db', /to be UTF-8/],
  ['postgres://u:hunter2@h/d%c3', /to be UTF-8/],
  ['postgres://u:hunter2@h/db?sslmode=foobar', modes],
  ['postgres://u:hunter2@h/db?sslmode=', modes],
  ['postgres://u:hunter2@h/db?sslmode=Require', modes],
  // `pg` takes the last one.
  ['postgres://u:hunter2@h/db?sslmode=verify-full&sslmode=foobar', modes],
  ['postgres://u:hunter2@h/db?ssl_mode=require', /unknown parameter about TLS; .* sslmode,/],
  ['postgres://u:hunter2@h/db?SSLMODE=require', /unknown parameter about TLS/],
  ['postgres://u:hunter2@h/db?sslrootcrt=x', /unknown parameter about TLS/],
  ['postgres://u:hunter2@h/db?tls=on', /unknown parameter about TLS/],
  ['postgres://u:hunter2@h/db?ssl=foobar', /expected ssl to be one of true, 1, 0, no-verify/],
  ['postgres://u:hunter2@h/db?ssl=false', /expected ssl to be one of/],
  ['postgres://u:hunter2@h/db?sslnegotiation=foo', /sslnegotiation to be one of postgres, direct/],
  ['postgres://u:hunter2@h/db?sslrootcert=/none', /expected sslrootcert to name a file .*ENOENT/],
  ['postgres://u:hunter2@h/db?sslcert=/none', /expected sslcert to name a file/],
  ['postgres://u:hunter2@h/db?sslkey=/none', /expected sslkey to name a file/],
])('%s is refused, without its password', (text, message) => {
  let error: unknown;
  try {
    checkTarget(text);
  } catch (cause) {
    error = cause;
  }
  expect(error).toBeInstanceOf(RangeError);
  expect((error as Error).message).toMatch(message);
  expect((error as Error).message).not.toContain('hunter2');
});

describe('what `pg` takes is taken', () => {
  test.each([
    'postgres://u:p@h/db',
    'postgresql://u@h:5433/db',
    'postgres:///db',
    'postgres://h',
    'postgres://u:12%23x%40y@h/db',
    'postgres://u:p%C3%A9@h/db',
    'postgres://u:100%@h/db',
    'postgres://%2Frun%2Fpostgresql/db',
    'postgres://h/db?user=me@realm',
    'postgres://u@h/db?application_name=a@b&statement_timeout=5',
    'postgres://u@h?application_name=a@b',
    'postgres://u@h/db?sslmode=disable',
    'postgres://u@h/db?ssl=true&sslnegotiation=direct',
    'postgres://u@h/db?uselibpqcompat=true&sslmode=require',
    `postgres://u@h/db?sslmode=verify-full&sslrootcert=${file}`,
  ])('%s', (text) => {
    expect(() => checkTarget(text)).not.toThrow();
  });
});

test('a mode of the environment that `pg` does not know is refused, unless the string has one', () => {
  vi.stubEnv('PGSSLMODE', 'foobar');
  expect(() => checkTarget('postgres://u@h/db')).toThrow(/that of PGSSLMODE to be one of/);
  expect(() => checkTarget('postgres://u@h/db?sslmode=require')).not.toThrow();
  vi.stubEnv('PGSSLMODE', 'require');
  expect(() => checkTarget('postgres://u@h/db')).not.toThrow();
});
