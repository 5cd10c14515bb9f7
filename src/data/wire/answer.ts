/** Reads answers: the envelope of the data interface, and what both interfaces say if something is wrong. */
import * as z from 'zod/mini';
import type { Redact } from '../../rpc/redact.js';
import { DataError, type DataErrorDetails } from './errors.js';
import { codeOfStatus, type JsonAnswer } from './http.js';

/** Most characters of a server's own message that are kept. */
const messageLength = 300;

/**
 * A value as a schema has it.
 *
 * @param redact for a schema whose members may have names of the server's choice
 * @throws DataError `BAD_ANSWER` that names the member
 */
export function readAs<T>(
  schema: z.core.$ZodType<T>,
  value: unknown,
  status: number,
  redact: Redact = (text) => text,
): T {
  const read = z.core.safeParse(schema, value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const at = redact(issue?.path.map(String).join('.') ?? '').slice(0, messageLength);
  // The path and the words of the schema: the value itself is not repeated.
  const place = at === '' ? 'the answer' : `"${at}" of the answer`;
  const reason = issue?.code ?? 'invalid';
  throw new DataError('BAD_ANSWER', `${place} does not have the required format: ${reason}`, {
    status,
  });
}

const isOk = (status: number) => status >= 200 && status < 300;

/** Members that any failure may have. */
const failure = z.looseObject({
  message: z.optional(z.unknown()),
  error_message: z.optional(z.unknown()),
  error_code: z.optional(z.unknown()),
});

/** A code of the server's: a number, or a text of one. */
const isCode = (code: unknown): code is number | string =>
  typeof code === 'number' || (typeof code === 'string' && code.length <= 64);

/** The error that an answer is about. */
export function toDataError({ status, retryAfter, body }: JsonAnswer, redact: Redact): DataError {
  const read = z.core.safeParse(failure, body);
  const {
    message,
    error_message: said = message,
    error_code: code,
  } = read.success ? read.data : {};
  // Secrets go first: a cut could leave half of one.
  const serverMessage = typeof said === 'string' ? redact(said).slice(0, messageLength) : undefined;
  // Only what is no secret: half a code says nothing.
  const serverCode = isCode(code) && redact(String(code)) === String(code) ? code : undefined;
  const details: DataErrorDetails = { status, retryAfter, serverCode, serverMessage };
  // With status 200 the code is that of the envelope.
  const number = isOk(status) ? Number(serverCode ?? 500) : status;
  const words = serverMessage === undefined ? '' : `: ${serverMessage}`;
  const what = isOk(status) ? `code ${serverCode ?? 'none'}` : `HTTP status ${status}`;
  return new DataError(codeOfStatus(number), `the server answered ${what}${words}`, details);
}

const envelope = z.looseObject({ data: z.unknown(), error: z.boolean() });

/**
 * The `data` of an envelope.
 *
 * @throws DataError
 */
export function parseEnvelope(answer: JsonAnswer, redact: Redact): unknown {
  const { status, body } = answer;
  if (!isOk(status)) throw toDataError(answer, redact);
  const { data, error } = readAs(envelope, body, status);
  if (error) throw toDataError(answer, redact);
  return data;
}

const outcome = z.looseObject({ success: z.boolean() });

/** The body of a decoder's success. @throws DataError */
export function readSuccess(answer: JsonAnswer, redact: Redact): unknown {
  const { status, body } = answer;
  if (!isOk(status)) throw toDataError(answer, redact);
  if (!readAs(outcome, body, status).success) throw toDataError(answer, redact);
  return body;
}

/** The answer to another question than the one that was asked. */
export const aboutOther = (what: string): DataError =>
  new DataError('BAD_ANSWER', `the answer is about another ${what}`);

/** @param given in any case @param asked in lower case @throws DataError `BAD_ANSWER` */
export function checkAbout(what: string, given: string | undefined, asked: string): void {
  if (given?.toLowerCase() !== asked) throw aboutOther(what);
}
