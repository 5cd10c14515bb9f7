/** JSON by GET, for interfaces that are not JSON-RPC: bounded like a {@link Transport}, and with the same errors. */
import { wrongType } from '../errors.js';
import { jsonIn } from './body.js';
import { RpcError } from './errors.js';
import { badStatus, exchange, isOk } from './exchange.js';
import { checkLimit, parseUrl } from './http.js';
import { jsonType } from './mediaType.js';
import { createRedact } from './redact.js';

/** How one server is asked. */
interface GetterOptions {
  /** `http:` or `https:`, without `?` and `#`; it may hold an API key, and is never part of a message. */
  readonly url: string;
  /** Default: the platform's. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Ms from the request to the last byte of the answer; default 10,000. */
  readonly timeout?: number | undefined;
}

/** One question. */
interface GetRequest {
  /** Its name in errors. */
  readonly name: string;
  /** Below the URL of the server; begins with a slash. */
  readonly path: string;
  /** Longest true answer, in bytes after decompression. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** Asks one server for JSON. @returns what it claims: nothing about it is checked @throws RpcError */
type Getter = (request: GetRequest) => Promise<unknown>;

/**
 * Opens a getter. Nothing is sent before the first question, and nothing is sent twice.
 *
 * @throws TypeError or RangeError for wrong options
 */
export function createGetter({ url: text, fetch, timeout = 10_000 }: GetterOptions): Getter {
  const url = parseUrl(text);
  if (url.search !== '' || url.hash !== '') throw wrongType('url', 'expected no ? and no #');
  checkLimit('timeout', timeout);
  const server = { fetch, timeout, redact: createRedact({ url }) };
  const base = url.href.replace(/\/+$/, '');
  return async ({ name, path, maxBytes, signal }) => {
    signal?.throwIfAborted();
    const { body, ...details } = await exchange(server, {
      ...{ name, maxBytes, signal, url: `${base}${path}`, method: 'GET' },
      headers: { accept: jsonType },
    });
    if (!isOk(details.status)) throw badStatus(name, details);
    if (body === null) {
      throw new RpcError('TOO_LARGE', name, `the answer is longer than ${maxBytes} bytes`, details);
    }
    try {
      return jsonIn(body);
    } catch {
      // The parser's own message quotes the answer.
      throw new RpcError('NOT_JSON', name, 'the answer is not JSON', details);
    }
  };
}
