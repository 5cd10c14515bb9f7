/** JSON-RPC 2.0 over HTTP, one request per call. */

import { ownMembers } from '../foreign/argument.js';
import { readBody } from './body.js';
import { type Deadline, startDeadline } from './deadline.js';
import { type Envelope, readEnvelope } from './envelope.js';
import { RpcError } from './errors.js';
import { checkLimit, parseUrl, readRetryAfter, reasonOf } from './http.js';
import { jsonType } from './mediaType.js';

/** What {@link createTransport} takes. */
export interface TransportOptions {
  /** `http:` or `https:`; it may hold an API key, and is never part of a message. */
  url: string;
  /** Default: the platform's. */
  fetch?: typeof globalThis.fetch;
  /** Ms from the request to the last byte of the answer; default 10,000. */
  timeout?: number;
  /** Longest answer, in bytes after decompression; default 16 MiB. */
  maxBytes?: number;
  /** Further request headers, by name. */
  headers?: Readonly<Record<string, string>>;
}

export const transportOptionNames = ['url', 'fetch', 'timeout', 'maxBytes', 'headers'] as const;

/** Asks one server. */
export interface Transport {
  /**
   * Calls a method, once.
   *
   * @param options.accept media type of bytes that are taken instead of JSON; a transport of your own may ignore it
   * @returns what the server claims; nothing about it is checked. A Uint8Array if the answer is of the type accepted
   * @throws RpcError
   * @throws the signal's reason once it is aborted
   */
  call(
    method: string,
    params: readonly unknown[],
    options?: { signal?: AbortSignal | undefined; accept?: string | undefined },
  ): Promise<unknown>;
}

/** Shortest part of a URL that counts as a secret. */
const secretLength = 8;

/** Takes the parts of the URL that may be an API key out of a text: servers like to quote them. */
function redactor(url: URL): (text: string) => string {
  const parts = [
    ...url.pathname.split('/').flatMap((part) => [part, decodePart(part)]),
    ...url.searchParams.values(),
  ];
  // The longest first: a shorter one may be a part of it.
  const secrets = parts
    .filter(({ length }) => length >= secretLength)
    .sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** An error status may carry a JSON-RPC error, which says more. @throws RpcError */
function readJson(
  { method, id }: { method: string; id: number },
  bytes: Uint8Array,
  details: { status: number; retryAfter: number | undefined },
  redact: (text: string) => string,
): Envelope {
  const { status } = details;
  const isOk = status >= 200 && status < 300;
  try {
    const envelope = readEnvelope(bytes, method, id, redact);
    if (isOk || 'serverCode' in envelope) return envelope;
  } catch (error) {
    if (isOk) throw error;
  }
  throw new RpcError('HTTP_STATUS', method, `HTTP status ${status}`, details);
}

/** A URL as a server sees it: a fragment is not sent, and an empty query is none. */
export function endpointKey(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search}`;
}

/** The URLs of transports. They may hold keys, so they are no members. */
const urls = new WeakMap<Transport, string>();

/** What tells the endpoint of a transport from others, for comparison alone: it may hold a key. */
export const endpointOf = (transport: Transport): string | undefined => urls.get(transport);

/**
 * Opens a transport. Nothing is sent before the first call, and nothing is sent twice.
 *
 * @throws TypeError or RangeError for wrong options
 */
export function createTransport(options: TransportOptions): Transport {
  const given = ownMembers(options, transportOptionNames, 'options');
  const { timeout = 10_000, maxBytes = 16 * 1024 * 1024, headers = {} } = given;
  const url = parseUrl(given.url);
  checkLimit('timeout', timeout);
  checkLimit('maxBytes', maxBytes);
  const redact = redactor(url);
  let lastId = 0;

  async function ask(
    body: string,
    accept: string | undefined,
    deadline: Deadline,
    late: () => RpcError,
  ) {
    const send = given.fetch ?? globalThis.fetch;
    const request = send(url.href, {
      method: 'POST',
      headers: {
        ...headers,
        accept: accept === undefined ? jsonType : `${accept}, ${jsonType}`,
        'content-type': jsonType,
      },
      body,
      // A key in the path must not travel to any place that a server names.
      redirect: 'manual',
      signal: deadline.signal,
    });
    const response = await deadline.race(request, late);
    const bytes = await deadline.race(readBody(response, maxBytes), late);
    const { status, ok, headers: named } = response;
    const isWanted = accept !== undefined && named.get('content-type')?.startsWith(accept);
    return { status, retryAfter: readRetryAfter(response), bytes, isJson: !ok || !isWanted };
  }

  /** Sends a request and takes the whole answer. */
  async function exchange(
    method: string,
    body: string,
    accept: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Awaited<ReturnType<typeof ask>>> {
    const deadline = startDeadline(timeout, signal);
    const late = () => new RpcError('TIMEOUT', method, `no answer in ${timeout} ms`);
    try {
      return await ask(body, accept, deadline, late);
    } catch (error) {
      signal?.throwIfAborted();
      // Lost the race, or a fetch that heeds the signal failed before it.
      if (deadline.signal.aborted) throw late();
      throw new RpcError('NETWORK', method, `the request failed${reasonOf(error)}`);
    } finally {
      deadline.stop();
    }
  }

  const transport: Transport = {
    async call(method, params, options = {}) {
      const { signal, accept } = ownMembers(options, ['signal', 'accept'], 'options');
      signal?.throwIfAborted();
      lastId += 1;
      const id = lastId;
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
      const { bytes, isJson, ...details } = await exchange(method, body, accept, signal);
      if (bytes === null) {
        const text = `the answer is longer than ${maxBytes} bytes`;
        throw new RpcError('TOO_LARGE', method, text, details);
      }
      if (!isJson) return bytes;
      const envelope = readJson({ method, id }, bytes, details, redact);
      if ('result' in envelope) return envelope.result;
      const { serverCode, serverMessage } = envelope;
      throw new RpcError('SERVER_ERROR', method, `${serverCode} ${serverMessage}`, {
        ...details,
        serverCode,
        serverMessage,
      });
    },
  };
  urls.set(transport, endpointKey(url.href));
  return transport;
}
