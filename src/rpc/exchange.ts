/** One request over HTTP and its whole answer, within bounds of time and size. Nothing is sent twice. */
import { startDeadline } from '../deadline.js';
import { type BodyParts, readBody } from './body.js';
import { RpcError } from './errors.js';
import { readRetryAfter, toReason } from './http.js';
import type { Redact } from './redact.js';

/** How one server is asked. */
export interface Server {
  /** Default: the platform's. */
  readonly fetch: typeof globalThis.fetch | undefined;
  /** Ms from the request to the last byte of the answer. */
  readonly timeout: number;
  /** Takes the secrets of its requests out of texts. */
  readonly redact: Redact;
}

/** One request. */
interface HttpQuestion {
  /** Its name in errors. */
  readonly name: string;
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Longest answer, in bytes after decompression. */
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** The response. */
interface HttpAnswer {
  readonly status: number;
  /** Seconds after which the server wants to be asked again. */
  readonly retryAfter: number | undefined;
  /** Media type, as the server says. */
  readonly type: string | undefined;
  /** Null if there were more than are allowed. */
  readonly body: BodyParts | null;
}

/** @throws RpcError `TIMEOUT` or `NETWORK`; the signal's reason once it is aborted */
export async function exchange(server: Server, request: HttpQuestion): Promise<HttpAnswer> {
  const { timeout, redact } = server;
  const { name, url, maxBytes, signal, method, headers, body } = request;
  const deadline = startDeadline(timeout, signal);
  const late = () => new RpcError('TIMEOUT', name, `no answer in ${timeout} ms`);
  const send = server.fetch ?? globalThis.fetch;
  try {
    const sent = send(url, {
      method,
      headers,
      // A key in the path must not travel to any place that a server names.
      redirect: 'manual',
      signal: deadline.signal,
      ...(body !== undefined && { body }),
    });
    const response = await deadline.race(sent, late);
    const answer = await deadline.race(readBody(response, maxBytes), late);
    return {
      status: response.status,
      retryAfter: readRetryAfter(response, redact),
      type: response.headers.get('content-type') ?? undefined,
      body: answer,
    };
  } catch (error) {
    signal?.throwIfAborted();
    // Lost the race, or a fetch that heeds the signal failed before it.
    if (deadline.signal.aborted) throw late();
    throw new RpcError('NETWORK', name, `the request failed${toReason(error, redact)}`);
  } finally {
    deadline.stop();
  }
}

export const isOk = (status: number): boolean => status >= 200 && status < 300;

/** The error of a status that is no success. */
export const badStatus = (
  name: string,
  details: { readonly status: number; readonly retryAfter: number | undefined },
): RpcError => new RpcError('HTTP_STATUS', name, `HTTP status ${details.status}`, details);
