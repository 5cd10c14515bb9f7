/** JSON-RPC 2.0 over HTTP: a request for each call, or one for several questions. */
import { joinBytes } from '../bytes.js';
import { ownMembers } from '../foreign/argument.js';
import { type Question, readBatchAnswer } from './batch.js';
import type { BodyParts } from './body.js';
import { answerBound, longestAnswer } from './bounds.js';
import { type Envelope, readEnvelope } from './envelope.js';
import { keepWords, RpcError } from './errors.js';
import { badStatus, exchange, isOk } from './exchange.js';
import { checkLimit, parseUrl } from './http.js';
import { jsonType } from './mediaType.js';
import { createRedact, isShownNumber, type Redact } from './redact.js';

/** Options of {@link createTransport}. */
export interface TransportOptions {
  /** `http:` or `https:`; it may hold an API key, and is never part of a message. */
  url: string;
  /** Default: the platform's. */
  fetch?: typeof globalThis.fetch;
  /** Ms from the request to the last byte of the answer; default 10,000. */
  timeout?: number;
  /**
   * Longest answer to any question, in bytes after decompression. By default it follows from the question: 64 KiB for a
   * number, for proofs by the number of their keys, and 16 MiB if nothing bounds it. Pass more if your node's true
   * answers are longer.
   */
  maxBytes?: number;
  /** Further request headers, by name. Their values, too, are never part of a message. */
  headers?: Readonly<Record<string, string>>;
}

export const transportOptionNames = ['url', 'fetch', 'timeout', 'maxBytes', 'headers'] as const;

/** The answer of a server to a question of a batch. */
export type BatchAnswer =
  | {
      /** Any JSON; whoever asks reads it. */
      readonly result: unknown;
    }
  | {
      /** The one that `call` throws for such an answer. */
      readonly error: RpcError;
    };

/** Asks one server. */
export interface Transport {
  /**
   * Calls a method, once.
   *
   * @param options.maxBytes longest true answer to this question, in bytes after decompression; a `maxBytes` of the
   *   transport counts instead. A transport of your own may ignore it
   * @param options.accept media type of bytes that are taken instead of JSON; a transport of your own may ignore it
   * @returns what the server claims; nothing about it is checked. A Uint8Array if the answer is of the type accepted
   * @throws RpcError
   * @throws the signal's reason once it is aborted
   */
  call(
    method: string,
    params: readonly unknown[],
    options?: {
      signal?: AbortSignal | undefined;
      accept?: string | undefined;
      maxBytes?: number | undefined;
    },
  ): Promise<unknown>;
  /**
   * Asks several questions in one request, once: a JSON-RPC batch. A transport of your own may lack it; then questions are
   * asked one by one.
   *
   * @param options.maxBytes longest true answer to all of them together
   * @returns what the server claims, in the order of the questions; an error of one does not affect the others
   * @throws RpcError if the server refuses the whole, or answers something else
   * @throws the signal's reason once it is aborted
   */
  batch?(
    questions: readonly Question[],
    options?: { signal?: AbortSignal | undefined; maxBytes?: number | undefined },
  ): Promise<readonly BatchAnswer[]>;
}

/** An error status may carry a JSON-RPC error, which says more. @throws RpcError */
function readJson(
  { method, id }: { method: string; id: number },
  body: BodyParts,
  details: { status: number; retryAfter: number | undefined },
  redact: Redact,
): Envelope {
  const isGood = isOk(details.status);
  try {
    const envelope = readEnvelope(body, method, id, redact);
    if (isGood || 'serverCode' in envelope) return envelope;
  } catch (error) {
    if (isGood) throw error;
  }
  throw badStatus(method, details);
}

/** The error that a server answered. */
function serverError(
  method: string,
  { serverCode, serverMessage, words }: Exclude<Envelope, { result: unknown }>,
  details: { status: number; retryAfter: number | undefined },
): RpcError {
  const said = serverCode === undefined ? serverMessage : `${serverCode} ${serverMessage}`;
  const all = { ...details, serverCode, serverMessage };
  const error = new RpcError('SERVER_ERROR', method, said, all);
  keepWords(error, words);
  return error;
}

/** A URL as a server sees it: a fragment is not sent, and an empty query is none. */
function endpointKey(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search}`;
}

/** How a request is sent. */
interface SendOptions {
  readonly signal: AbortSignal | undefined;
  readonly accept?: string | undefined;
  /** Longest answer, in bytes. */
  readonly maxBytes: number;
}

/** Removes the secrets of a transport from texts. */
const redactions = new WeakMap<Transport, Redact>();

/** A number that a server answered, for a message. @param transports those that may have been asked */
export function numberText(transports: readonly Transport[], value: number | bigint): string {
  const isShown = transports.every((transport) => {
    const redact = redactions.get(transport);
    return redact === undefined || isShownNumber(value, redact);
  });
  return isShown ? String(value) : '(a number that is left out: it may be a key)';
}

/** The URLs of transports. They may hold keys, so they are no members. */
const urls = new WeakMap<Transport, string>();

/** A key of a transport's endpoint, for comparison alone: it may hold a key. */
export const endpointOf = (transport: Transport): string | undefined => urls.get(transport);

/**
 * Opens a transport. Nothing is sent before the first call, and nothing is sent twice.
 *
 * @throws TypeError or RangeError for wrong options
 */
export function createTransport(options: TransportOptions): Transport {
  const given = ownMembers(options, transportOptionNames, 'options');
  const { timeout = 10_000, headers = {} } = given;
  const url = parseUrl(given.url);
  checkLimit('timeout', timeout);
  if (given.maxBytes !== undefined) checkLimit('maxBytes', given.maxBytes);
  const redact = createRedact({ url, headers });
  const server = { fetch: given.fetch, timeout, redact };
  let lastId = 0;

  /** @param name what errors call the request */
  async function send(name: string, question: unknown, options: SendOptions) {
    const { signal, accept, maxBytes } = options;
    const { body, type, ...details } = await exchange(server, {
      ...{ name, url: url.href, method: 'POST', body: JSON.stringify(question), maxBytes, signal },
      headers: {
        ...headers,
        accept: accept === undefined ? jsonType : `${accept}, ${jsonType}`,
        'content-type': jsonType,
      },
    });
    if (body !== null) return { body, type, details };
    // An error may come with a long page; what counts is the status.
    if (!isOk(details.status)) throw badStatus(name, details);
    const text = `the answer is longer than ${maxBytes} bytes; if it may be, pass a larger "maxBytes" to createTransport`;
    throw new RpcError('TOO_LARGE', name, text, details);
  }

  const transport: Transport = {
    async call(method, params, options = {}) {
      const own = ownMembers(options, ['signal', 'accept', 'maxBytes'], 'options');
      const { signal, accept, maxBytes: asked } = own;
      if (asked !== undefined) checkLimit('maxBytes', asked);
      signal?.throwIfAborted();
      lastId += 1;
      const id = lastId;
      const maxBytes = given.maxBytes ?? asked ?? answerBound(method, params);
      const question = { jsonrpc: '2.0', id, method, params };
      const answer = await send(method, question, { signal, accept, maxBytes });
      const { body, type, details } = answer;
      const isWanted = accept !== undefined && type?.startsWith(accept);
      if (isWanted && isOk(details.status)) return joinBytes(body);
      const envelope = readJson({ method, id }, body, details, redact);
      if ('result' in envelope) return envelope.result;
      throw serverError(method, envelope, details);
    },
    async batch(questions, options = {}) {
      const own = ownMembers(options, ['signal', 'maxBytes'], 'options');
      const { signal, maxBytes: asked } = own;
      if (asked !== undefined) checkLimit('maxBytes', asked);
      signal?.throwIfAborted();
      const first = lastId + 1;
      lastId += questions.length;
      const maxBytes = given.maxBytes ?? asked ?? longestAnswer;
      const asks = questions.map(({ method, params }, i) => ({
        ...{ jsonrpc: '2.0', id: first + i, method, params },
      }));
      const { body, details } = await send('batch', asks, { signal, maxBytes });
      if (!isOk(details.status)) throw badStatus('batch', details);
      return readBatchAnswer(body, { questions, first, redact }).map((envelope, i) =>
        'result' in envelope
          ? envelope
          : { error: serverError((questions[i] as Question).method, envelope, details) },
      );
    },
  };
  urls.set(transport, endpointKey(url.href));
  redactions.set(transport, redact);
  return transport;
}
