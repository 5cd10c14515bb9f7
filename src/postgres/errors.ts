/**
 * Errors of the server and of the connection to it, as errors of the tree. Addresses and passwords
 * stay out: the error of a failed connection shows its code only, and the server's message is shown
 * only if it is about statements, and without the password.
 */
import { TreeError, type TreeErrorCode } from '../tree/index.js';
import { isClean, shownText } from './secrets.js';

/** Codes of SQLSTATE that mean more than that a call failed, and advice. */
const known: Readonly<Record<string, readonly [TreeErrorCode, string]>> = {
  '25006': ['READ_ONLY', 'the database takes no writes'],
  '26000': ['STORE_FAILED', 'a pooler has lost a prepared statement; open the store again'],
  '3D000': ['STORE_FAILED', 'there is no such database; create it'],
  '3F000': ['WRONG_STORE', 'the schema holds no store; open it to write first'],
  '40001': ['STORE_FAILED', 'it collided with other transactions; try again'],
  '40P01': ['STORE_FAILED', 'it collided with other transactions; try again'],
  '42501': ['READ_ONLY', 'the user lacks the rights for it'],
  '42P01': ['WRONG_STORE', 'the schema holds no store; open it to write first'],
  '53100': ['STORE_FULL', "there is no room left on the server's disk; nothing was written"],
  '53300': ['STORE_FAILED', 'the server has too many connections; raise max_connections'],
  '57014': ['STORE_FAILED', 'it took longer than statement_timeout'],
  '57P01': ['STORE_FAILED', 'the server is shutting down'],
  '57P02': ['STORE_FAILED', 'the server is shutting down'],
  '57P03': ['STORE_FAILED', 'the server is starting or shutting down'],
  '57P05': ['STORE_FAILED', 'the connection was idle for longer than idle_session_timeout'],
  XX001: ['DAMAGED', "the server's files are inconsistent"],
  XX002: ['DAMAGED', "the server's files are inconsistent"],
};

/** SQLSTATE of what the server reports; undefined if the connection failed. */
export function sqlStateOf(cause: unknown): string | undefined {
  const { code, severity } = cause as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && typeof severity === 'string' ? code : undefined;
}

/** Names of the trouble with a certificate, as Node has them. */
const certificate = /CERT|SIGNATURE|_ISSUER/;

const noTls =
  'the server has no TLS, which sslmode asks for; turn it on there, or pass sslmode=disable';

/** Why there is no answer, without the address that Node has in its messages; and its name, if it has one. */
function connectionReason(cause: unknown): { reason: string; code?: string } {
  const { code, message = '' } = cause as { code?: unknown; message?: string };
  if (/does not support SSL/.test(message)) return { reason: noTls, code: 'NO_TLS' };
  if (typeof code === 'string') {
    const advice = certificate.test(code)
      ? "; the server's certificate is not trusted or names another host: pass the one of its authority as sslrootcert=FILE"
      : '';
    const shown = shownText(cause as Error, code);
    return { reason: `the connection failed: ${shown}${advice}`, code: shown };
  }
  const reason = /time/i.test(message)
    ? 'no connection or no answer in time; the server is stuck, or more snapshots are held than the pool has connections'
    : 'the connection failed';
  return { reason };
}

/** The name of a cause that has an address in its message, in place of it. */
const nameless = (code: string): Error => Object.assign(new Error(code), { code });

/** Whether a pooler refuses a setting that is made while a connection begins. */
export const isStartupRefusal = (cause: unknown): boolean =>
  /unsupported startup parameter/.test((cause as Error).message);

/** Errors of a pooler that no second try changes, and advice. */
function poolerReason(cause: unknown): string | undefined {
  if (isStartupRefusal(cause)) {
    return 'the pooler refuses a setting of the connection string; leave it out, or name it in ignore_startup_parameters';
  }
  return /statement pooling/.test((cause as Error).message)
    ? 'the pooler is in statement mode, which has no transactions; set pool_mode to transaction or session'
    : undefined;
}

const standby =
  'the standby has cancelled it to follow its primary; set hot_standby_feedback there, or a longer max_standby_streaming_delay';

/** Advice about an error of the server. */
function hintOf(state: string, { message }: Error): string | undefined {
  if (/conflict with recovery/.test(message)) return standby;
  // An operator's pg_cancel_backend, which has the same SQLSTATE as a statement that takes too long.
  return /user request/.test(message) ? 'it was cancelled on the server' : known[state]?.[1];
}

/** @param what could not be done, for example `cannot read the store` */
export function postgresError(what: string, cause: unknown): TreeError {
  if (cause instanceof TreeError) return cause;
  const state = sqlStateOf(cause);
  if (state === undefined) {
    const { reason, code } = connectionReason(cause);
    return new TreeError('STORE_FAILED', `${what}: ${reason}`, {
      cause: code === undefined ? undefined : nameless(code),
    });
  }
  const pooler = poolerReason(cause);
  if (pooler !== undefined) {
    return new TreeError('STORE_FAILED', `${what}: ${pooler}`, { cause: nameless('POOLER') });
  }
  // The server's message to a refused client names that client's address.
  if (state.startsWith('28')) {
    const hint = 'the server refuses this user or password, or this kind of connection';
    const shownState = shownText(cause as Error, state);
    return new TreeError('STORE_FAILED', `${what}: ${hint}; SQLSTATE ${shownState}`, {
      cause: nameless(shownState),
    });
  }
  const error = cause as Error;
  const code = known[state]?.[0] ?? 'STORE_FAILED';
  const hint = hintOf(state, error);
  const shownState = shownText(error, state);
  const reason = `${shownText(error, error.message)}; SQLSTATE ${shownState}`;
  return new TreeError(code, `${what}: ${hint ? `${hint}; ` : ''}${reason}`, {
    cause: isClean(error) ? cause : nameless(shownState),
    detail: code === 'WRONG_STORE' ? 'NO_STORE' : undefined,
  });
}

/** Connections that may wait for work, as pg has it unless told otherwise: all of them may have been ended at once. */
export const idleConnections = 10;

/**
 * Whether a read may succeed on another connection: the server, or what stands between, has ended one that waited for work,
 * or a standby has cancelled the read. Transactions that only read collide with nothing else.
 */
export function isPassing(cause: unknown): boolean {
  const state = sqlStateOf(cause);
  if (state !== undefined) return /^(57P0[125]|40001|40P01)$/.test(state);
  const { code, message = '' } = cause as { code?: unknown; message?: string };
  return code === 'ECONNRESET' || code === 'EPIPE' || /^Connection terminated/.test(message);
}

export const readError = (cause: unknown): TreeError =>
  postgresError('cannot read the store', cause);

export const postgresClosedError = (): TreeError => new TreeError('CLOSED', 'the store is closed');

/** The error of a writer that has lost its lease. */
export const leaseLostError = (): TreeError =>
  new TreeError(
    'OTHER_WRITER',
    'the lease of this writer has run out, or another one has taken the store over; close it, and open it again',
  );
