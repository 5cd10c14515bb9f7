/** The JSON-RPC 2.0 envelope of an answer: one result or one error, to the request that was sent. */
import { shown } from '../errors.js';
import { hasMember, ownMember } from '../foreign/members.js';
import { type BodyParts, jsonIn } from './body.js';
import { RpcError } from './errors.js';
import { isShownNumber, type Redact } from './redact.js';

/** Most characters of a server's own message that are kept. */
const messageLength = 300;

/** The content of an answer. */
export type Envelope =
  | { readonly result: unknown }
  | {
      /** Undefined if it is a key. */
      readonly serverCode: number | undefined;
      readonly serverMessage: string;
      /** The message as it came, cut: it may hold a key. */
      readonly words: string;
    };

/**
 * Reads the text of an answer.
 *
 * @param redact takes secrets out of a server's message
 * @throws RpcError `NOT_JSON`, `BAD_ENVELOPE` or `WRONG_ID`
 */
export function readEnvelope(
  body: BodyParts,
  method: string,
  id: number,
  redact: Redact,
): Envelope {
  return readParsedEnvelope(parseJson(body, method), method, id, redact);
}

const bad = (method: string, reason: string) => new RpcError('BAD_ENVELOPE', method, reason);

function expectObject(value: unknown, at: string, method: string): object {
  if (typeof value === 'object' && value !== null) return value;
  throw bad(method, `"${at}" expected an object, got ${shown(value)}`);
}

/**
 * Reads an answer that was parsed. A batch has some tens: to make a reader of members for each would take longer than to
 * read it.
 *
 * @throws RpcError `BAD_ENVELOPE` or `WRONG_ID`
 */
export function readParsedEnvelope(
  parsed: unknown,
  method: string,
  id: number,
  redact: Redact,
): Envelope {
  if (Array.isArray(parsed)) throw bad(method, '"answer" expected an object, got array');
  const answer = expectObject(parsed, 'answer', method);
  if (ownMember(answer, 'jsonrpc') !== '2.0') {
    throw bad(method, '"jsonrpc" of the answer is not "2.0"');
  }
  // Servers of older habits send both members, and null in the one that says nothing.
  const result = ownMember(answer, 'result');
  const hasResult = hasMember(answer, 'result');
  const hasError = (ownMember(answer, 'error') ?? null) !== null;
  if (hasError ? hasResult && result !== null : !hasResult) {
    throw bad(method, 'the answer needs either a result or an error');
  }
  const answered = ownMember(answer, 'id');
  // A server that did not read the request, such as one that limits a rate, does not know its id.
  const isWithoutId = answered === null || answered === undefined;
  if (answered !== id && !(hasError && isWithoutId)) {
    throw new RpcError('WRONG_ID', method, 'the answer is to another request');
  }
  if (!hasError) return { result };
  const error = expectObject(ownMember(answer, 'error'), 'answer.error', method);
  const code = ownMember(error, 'code');
  const message = ownMember(error, 'message');
  if (!Number.isSafeInteger(code) || typeof message !== 'string') {
    throw bad(method, 'the error needs a whole number as code and a message');
  }
  // Secrets go first: a cut could leave half of one.
  const serverMessage = redact(message).slice(0, messageLength);
  const words = message.slice(0, messageLength);
  return { serverCode: shownCode(code as number, redact), serverMessage, words };
}

/** JSON-RPC reserves the codes from -32768 to -32000: they have a meaning, and are no keys. */
function shownCode(code: number, redact: Redact): number | undefined {
  const isReserved = code >= -32768 && code <= -32000;
  return isReserved || isShownNumber(code, redact) ? code : undefined;
}

/** @throws RpcError `NOT_JSON` */
export function parseJson(body: BodyParts, method: string): unknown {
  try {
    return jsonIn(body);
  } catch {
    // The parser's own message quotes the answer.
    throw new RpcError('NOT_JSON', method, 'the answer is no JSON');
  }
}
