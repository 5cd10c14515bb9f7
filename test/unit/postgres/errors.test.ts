/** What a server and the connection to it report, as errors of the tree: by code, and without addresses. */
import { expect, test } from 'vitest';
import { isPassing, postgresError, sqlStateOf } from '../../../src/postgres/errors.js';
import { TreeError } from '../../../src/tree/index.js';

/** An error as `pg` makes one of what the server says. */
const said = (code: string, message: string) =>
  Object.assign(new Error(message), { code, severity: 'ERROR' });

test.each([
  ['53100', 'STORE_FULL', /no room left/],
  ['25006', 'READ_ONLY', /takes no writes/],
  ['42501', 'READ_ONLY', /lacks the rights/],
  ['3F000', 'WRONG_STORE', /holds no store/],
  ['XX001', 'DAMAGED', /inconsistent/],
  ['40001', 'STORE_FAILED', /collided/],
  ['57014', 'STORE_FAILED', /statement_timeout/],
  ['99999', 'STORE_FAILED', /^cannot write: what it says; SQLSTATE 99999/],
] as const)('SQLSTATE %s is %s', (state, code, text) => {
  const error = postgresError('cannot write', said(state, 'what it says'));
  expect(error).toBeInstanceOf(TreeError);
  expect(error.code).toBe(code);
  expect(error.message).toMatch(text);
  expect(error.message).toContain(`SQLSTATE ${state}`);
});

test('what has cancelled a statement is told', () => {
  const conflict = 'canceling statement due to conflict with recovery';
  for (const state of ['40001', '40P01']) {
    const { code, message } = postgresError('cannot read', said(state, conflict));
    expect(code).toBe('STORE_FAILED');
    expect(message).toMatch(/^cannot read: the standby has cancelled it.*hot_standby_feedback/);
    expect(isPassing(said(state, conflict))).toBe(true);
  }
  const asked = said('57014', 'canceling statement due to user request');
  expect(postgresError('cannot read', asked).message).toMatch(/: it was cancelled on the server;/);
  expect(isPassing(asked)).toBe(false);
});

test('a refused client is told without its address', () => {
  const { code, message } = postgresError(
    'cannot read',
    said('28000', 'no entry for host 10.1.2.3'),
  );
  expect(code).toBe('STORE_FAILED');
  expect(message).toContain('SQLSTATE 28000');
  expect(message).not.toContain('10.1.2.3');
});

test.each([
  [Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), { code: 'ECONNREFUSED' })],
  [new Error('timeout exceeded when trying to connect to 10.1.2.3')],
  [new Error('Connection terminated unexpectedly by 10.1.2.3')],
])('a connection that fails is told without its address: %s', (cause) => {
  const { code, message } = postgresError('cannot read', cause);
  expect(sqlStateOf(cause)).toBeUndefined();
  expect(code).toBe('STORE_FAILED');
  expect(message).toMatch(
    /^cannot read: (the connection failed|no connection or no answer in time)/,
  );
  expect(message).not.toContain('10.1.2.3');
});

test('an error of the tree stays as it is', () => {
  const error = new TreeError('CLOSED', 'the store is closed');
  expect(postgresError('cannot read', error)).toBe(error);
});
