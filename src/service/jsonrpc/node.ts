/**
 * RpcHandler straight from Node's HTTP server. The Request, the routes and the Response of the web platform would cost as
 * much as a light answer does.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { joinBytes } from '../../bytes.js';
import { yieldToEventLoop } from '../../concurrent.js';
import { wrongHostText } from '../../loopback.js';
import { jsonType } from '../../rpc/mediaType.js';
import { tooLarge } from '../http/body.js';
import {
  type BodyPiece,
  bodyLength,
  type HttpBody,
  type HttpReply,
  type HttpRequest,
} from '../http/http.js';
import { clientGone } from '../http/httpError.js';
import { pieceMemory } from '../http/pieceMemory.js';
import type { RpcHandler } from './rpcHandler.js';

/** How most calls spell their path: to parse a URL takes several times as long. */
const pathForm = /^\/v3\/([\w.~-]+)$/;

/** The segments of a path, however it is spelled; none if it is no URL. */
function segmentsOf(url: string): string[] {
  try {
    // Not as relative to an origin: `//name` would then be the name of a host.
    const { pathname } = new URL(url.startsWith('/') ? `http://localhost${url}` : url);
    return pathname.slice(1).replace(/\/$/, '').split('/').map(decodeURIComponent);
  } catch {
    return [];
  }
}

/**
 * The key that a call names in its path; empty if it names none. Undefined for a request that is no call: it goes by the
 * routes. Those send an answer as a whole, so a client that could choose them could block others with long answers.
 */
export function keyOfCall({ method, url = '' }: IncomingMessage): string | undefined {
  if (method !== 'POST') return undefined;
  const plain = pathForm.exec(url)?.[1];
  if (plain !== undefined) return plain;
  const [name, key, ...rest] = segmentsOf(url);
  return name === 'v3' && key !== '' && rest.length === 0 ? (key ?? '') : undefined;
}

const decoder = new TextDecoder();

function readText(incoming: IncomingMessage, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const announced = incoming.headers['content-length'];
    if (announced !== undefined && Number(announced) > maxBytes) {
      reject(tooLarge(maxBytes));
      return;
    }
    const parts: Uint8Array[] = [];
    let length = 0;
    incoming.on('data', (part: Uint8Array) => {
      length += part.length;
      if (length <= maxBytes) parts.push(part);
      else reject(tooLarge(maxBytes));
    });
    incoming.on('end', () => {
      const [first] = parts;
      const isWhole = first !== undefined && parts.length === 1;
      resolve(decoder.decode(isWhole ? first : joinBytes(parts)));
    });
    incoming.on('close', () => {
      // It comes after the end, too, and an error that is never seen costs as much as a light answer.
      if (!incoming.readableEnded) reject(clientGone());
    });
  });
}

/** Drops the rest of an unread body, and the connection with it if the rest is too long. */
function dropBody(incoming: IncomingMessage, maxBytes: number): void {
  let left = maxBytes;
  incoming.on('data', ({ length }: Uint8Array) => {
    left -= length;
    if (left < 0) incoming.destroy();
  });
}

/** Of the body of a request that is too long, what is still taken after the answer: bytes, and ms. */
const linger = { bytes: 1 << 20, time: 2000 };

/**
 * Takes the rest of a body, for a while. A connection that ends with unread input is reset, and a proxy that still sends
 * would answer 502 in place of what it was answered.
 */
function untilSent(incoming: IncomingMessage): Promise<void> {
  dropBody(incoming, linger.bytes);
  return new Promise((resolve) => {
    setTimeout(resolve, linger.time).unref();
    incoming.on('end', resolve).on('close', resolve);
  });
}

/** Resolves when what was written is taken, or nothing more will be. */
function takenOrGone(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done).off('close', done);
      resolve();
    };
    outgoing.on('drain', done).on('close', done);
  });
}

/** Bytes that are sent at once: with several million, other requests would wait while Node copies them. */
const pieceBytes = 1 << 17;

/** A body in parts of no more than what is sent at once. */
function* partsOf(body: HttpBody): Generator<BodyPiece> {
  for (const piece of body) {
    for (let at = 0; at < piece.length; at += pieceBytes) {
      const end = at + pieceBytes;
      yield typeof piece === 'string' ? piece.slice(at, end) : piece.subarray(at, end);
    }
  }
}

/** Sends a long body, as fast as the client takes it: in a turn of the event loop, no more than is sent at once. */
async function sendInTurns(outgoing: ServerResponse, body: HttpBody): Promise<void> {
  let length = 0;
  let isTaken = true;
  for (const part of partsOf(body)) {
    length += part.length;
    if (length > pieceBytes) {
      if (!isTaken) await takenOrGone(outgoing);
      await yieldToEventLoop();
      length = part.length;
    }
    if (outgoing.destroyed) return;
    isTaken = outgoing.write(part, 'latin1');
  }
  // Not before: what the client has not taken yet is still read from there. If it goes away, nothing is sent any more.
  outgoing.end(() => pieceMemory.giveBack(body));
}

async function send(outgoing: ServerResponse, { status, headers, body }: HttpReply): Promise<void> {
  if (body === undefined) {
    outgoing.writeHead(status, headers).end();
    return;
  }
  const length = bodyLength(body);
  // As a list: to spread an object, and Node's walk through its members, took some 3 µs of each answer.
  const lines: string[] = [];
  for (const name of Object.keys(headers)) lines.push(name, headers[name] as string);
  lines.push('content-length', String(length));
  outgoing.writeHead(status, lines);
  if (length > pieceBytes) await sendInTurns(outgoing, body);
  else {
    // A character is a byte: Node need not look for others.
    for (const piece of body) outgoing.write(piece, 'latin1');
    outgoing.end();
  }
}

/** Sends an answer that a client may get while it sends its request. */
async function sendEarly(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, headers, body = [] }: HttpReply,
): Promise<void> {
  outgoing.writeHead(status, { ...headers, 'content-length': String(bodyLength(body)) });
  for (const piece of body) outgoing.write(piece, 'latin1');
  if (!incoming.complete) await untilSent(incoming);
  outgoing.end();
}

/**
 * Resolves behind all that is done in this turn of the event loop. The answers of a turn are sent one right after the
 * other, then: a client or a proxy on the same machine is woken once for all of them. To be woken for each costs this
 * process as much as a light answer does.
 */
const endOfTurn = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/** What is refused before it is routed. */
const unreadReasons = { 403: wrongHostText, 404: 'not found', 431: 'too many headers' } as const;
export type UnreadStatus = keyof typeof unreadReasons;

/** Refuses a request whose body is not read, and ends its connection. */
export function refuseUnread(outgoing: ServerResponse, status: UnreadStatus): void {
  const error = unreadReasons[status];
  outgoing.writeHead(status, { 'content-type': jsonType, connection: 'close' });
  outgoing.end(JSON.stringify({ error }));
}

interface CallRules {
  /** Longest body. */
  readonly bodyBytes: number;
  /** Whether an answer of this status is the last one on its connection. */
  isLast(status: number, socket: IncomingMessage['socket']): boolean;
}

/** Answers a call; if that fails, as when the log throws, the connection ends. @param key of its path */
export async function answerCall(
  rpcHandler: RpcHandler,
  { incoming, outgoing, key }: { incoming: IncomingMessage; outgoing: ServerResponse; key: string },
  { bodyBytes, isLast }: CallRules,
): Promise<void> {
  const request: HttpRequest = {
    method: 'POST',
    header: (name) => incoming.headers[name] as string | undefined,
    text: (maxBytes) => readText(incoming, maxBytes),
    isGone: () => outgoing.destroyed,
  };
  try {
    const reply = await rpcHandler.answer(request, key);
    await endOfTurn();
    if (isLast(reply.status, incoming.socket)) outgoing.setHeader('connection', 'close');
    else if (!incoming.complete) dropBody(incoming, bodyBytes);
    if (reply.status === 413) await sendEarly(incoming, outgoing, reply);
    else await send(outgoing, reply);
  } catch {
    outgoing.destroy();
  }
}
