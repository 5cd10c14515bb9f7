/** The JSON-RPC 2.0 envelope of an answer: one result or one error, to the request that was sent. */
import { createMemberReader, hasMember } from '../foreign/members.js';
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
  bytes: Uint8Array,
  method: string,
  id: number,
  redact: Redact,
): Envelope {
  return readParsedEnvelope(parseJson(bytes, method), method, id, redact);
}

/** Reads an answer that was parsed. @throws RpcError `BAD_ENVELOPE` or `WRONG_ID` */
export function readParsedEnvelope(
  parsed: unknown,
  method: string,
  id: number,
  redact: Redact,
): Envelope {
  const { openObject, readMember } = createMemberReader(
    (at, reason) => new RpcError('BAD_ENVELOPE', method, `"${at}" ${reason}`),
  );
  const bad = (reason: string) => new RpcError('BAD_ENVELOPE', method, reason);
  if (Array.isArray(parsed)) throw bad('"answer" expected an object, got array');
  const answer = openObject(parsed, 'answer');
  if (readMember(answer, 'jsonrpc') !== '2.0') throw bad('"jsonrpc" of the answer is not "2.0"');
  // Servers of older habits send both members, and null in the one that says nothing.
  const says = (name: string) => hasMember(answer.target, name);
  const isNull = (name: string) => readMember(answer, name) === null;
  const hasError = says('error') && !isNull('error');
  if (hasError ? says('result') && !isNull('result') : !says('result')) {
    throw bad('the answer needs either a result or an error');
  }
  const answered = readMember(answer, 'id');
  // A server that did not read the request, such as one that limits a rate, does not know its id.
  const isWithoutId = answered === null || answered === undefined;
  if (answered !== id && !(hasError && isWithoutId)) {
    throw new RpcError('WRONG_ID', method, 'the answer is to another request');
  }
  if (!hasError) return { result: readMember(answer, 'result') };
  const error = openObject(readMember(answer, 'error'), 'answer.error');
  const code = readMember(error, 'code');
  const message = readMember(error, 'message');
  if (!Number.isSafeInteger(code) || typeof message !== 'string') {
    throw bad('the error needs a whole number as code and a message');
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
export function parseJson(bytes: Uint8Array, method: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The parser's own message quotes the answer.
    throw new RpcError('NOT_JSON', method, 'the answer is no JSON');
  }
}
