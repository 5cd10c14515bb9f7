/** One question to a server over HTTP, asked again a few times if what went wrong may pass. */
import { type Deadline, startDeadline } from '../../deadline.js';
import { wrongType } from '../../errors.js';
import { type BodyParts, jsonIn, readBody } from '../../rpc/body.js';
import { checkLimit, parseUrl, readRetryAfter, toReason } from '../../rpc/http.js';
import type { Redact } from '../../rpc/redact.js';
import { patientPolicy, retry } from '../../rpc/retry.js';
import { DataError, type DataErrorCode } from './errors.js';

/** A request. */
interface Question {
  /** Below the URL of the server; begins with a slash. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Sent as JSON by POST; without it, GET. */
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

/** A response. */
export interface JsonAnswer {
  readonly status: number;
  readonly retryAfter: number | undefined;
  /** Parsed JSON of unknown form. */
  readonly body: unknown;
}

/** Reads an answer, or throws what is wrong with it. */
type ReadAnswer<T> = (answer: JsonAnswer) => T;

interface HttpOptions {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch | undefined;
  /** Ms for one try. */
  readonly timeout: number;
  readonly maxBytes: number;
  readonly redact: Redact;
}

export interface Http {
  /** @throws DataError, or the signal's reason */
  ask<T>(question: Question, read: ReadAnswer<T>): Promise<T>;
}

const policy = patientPolicy(DataError, 4);

/** The code of an answer that is no success, by its status. */
export function codeOfStatus(status: number): DataErrorCode {
  if (status === 401 || status === 402 || status === 403) return 'UNAUTHORIZED';
  if (status === 404) return 'NOT_FOUND';
  if (status === 429) return 'RATE_LIMITED';
  return status >= 400 && status < 500 ? 'INVALID_REQUEST' : 'SERVER_ERROR';
}

function parseJson(parts: BodyParts, status: number, retryAfter: number | undefined): unknown {
  try {
    return jsonIn(parts);
  } catch {
    // The parser's own message quotes the answer.
    const isOk = status >= 200 && status < 300;
    if (isOk) throw new DataError('NOT_JSON', 'the answer is no JSON', { status });
    const details = { status, retryAfter };
    throw new DataError(codeOfStatus(status), `the server answered HTTP status ${status}`, details);
  }
}

/** @throws TypeError or RangeError for wrong options */
export function createHttp(options: HttpOptions): Http {
  const { url: text, fetch, timeout, maxBytes, redact } = options;
  const url = parseUrl(text);
  if (url.search !== '' || url.hash !== '') throw wrongType('url', 'expected no ? and no #');
  checkLimit('timeout', timeout);
  checkLimit('maxBytes', maxBytes);
  const base = url.href.replace(/\/+$/, '');

  async function exchange(question: Question, clock: Deadline, late: () => DataError) {
    const { path, query, body, headers } = question;
    const send = fetch ?? globalThis.fetch;
    const isPost = body !== undefined;
    const search = String(query);
    const request = send(`${base}${path}${search === '' ? '' : `?${search}`}`, {
      method: isPost ? 'POST' : 'GET',
      headers: {
        ...headers,
        accept: 'application/json',
        // A GET with it too: the interface asks for that.
        'content-type': 'application/json',
      },
      ...(isPost && { body: JSON.stringify(body) }),
      // A key must not travel to any place that a server names.
      redirect: 'manual',
      signal: clock.signal,
    });
    const response = await clock.race(request, late);
    const parts = await clock.race(readBody(response, maxBytes), late);
    return { status: response.status, retryAfter: readRetryAfter(response, redact), parts };
  }

  async function askOnce(question: Question): Promise<JsonAnswer> {
    const { signal } = question;
    signal?.throwIfAborted();
    const clock = startDeadline(timeout, signal);
    const late = () => new DataError('TIMEOUT', `no answer in ${timeout} ms`);
    try {
      const { status, retryAfter, parts } = await exchange(question, clock, late);
      if (parts === null) {
        throw new DataError('TOO_LARGE', `the answer is longer than ${maxBytes} bytes`, { status });
      }
      return { status, retryAfter, body: parseJson(parts, status, retryAfter) };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof DataError) throw error;
      // A fetch that heeds the signal may fail before the race does.
      if (clock.signal.aborted) throw late();
      // Without the cause: any error of a fetch may name the URL.
      throw new DataError('NETWORK', `the request failed${toReason(error, redact)}`);
    } finally {
      clock.stop();
    }
  }

  return {
    ask: (question, read) =>
      retry(async () => read(await askOnce(question)), policy, question.signal),
  };
}
