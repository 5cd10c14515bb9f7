/** The JSON-RPC 2.0 envelope of a call. */
import { hasMember, ownMember } from '../../foreign/members.js';
import { codes, HttpError } from '../http/httpError.js';

/** The ids that JSON-RPC allows. */
export type CallId = string | number | null;

/** Longest text that is echoed. */
const idLength = 256;

interface Call {
  readonly method: string;
  /** Not looked at yet. */
  readonly params: unknown;
  /** Nobody waits for an answer. */
  readonly isNotification: boolean;
}

/** JSON of unknown origin; if it repeats a key, the last one counts. @throws HttpError */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the body.
    throw new HttpError(codes.parseError, 'the body is no JSON');
  }
}

/** Whether an id can be given back as it came: JSON.parse rounds numbers that a double does not hold. */
function isEchoable(id: unknown): id is CallId {
  if (typeof id === 'number') return Math.abs(id) <= Number.MAX_SAFE_INTEGER;
  return id === null || (typeof id === 'string' && id.length <= idLength);
}

/** The id to answer with: null if it is missing, or cannot be echoed. */
export function parseId(body: unknown): CallId {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  const id = ownMember(body, 'id');
  return isEchoable(id) ? id : null;
}

/** A call that keeps to JSON-RPC 2.0. @throws HttpError */
export function parseCall(body: unknown): Call {
  const bad = (reason: string) => new HttpError(codes.invalidRequest, reason);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw bad('a call is an object');
  }
  const [jsonrpc, id, method, params] = ['jsonrpc', 'id', 'method', 'params'].map((name) =>
    ownMember(body, name),
  );
  const isNotification = !hasMember(body, 'id');
  if (!isNotification && !isEchoable(id)) {
    throw bad(`"id" expected null, text of up to ${idLength} characters or a number up to 2^53`);
  }
  if (jsonrpc !== '2.0') throw bad('"jsonrpc" expected "2.0"');
  if (typeof method !== 'string') throw bad('"method" expected a string');
  return { method, params, isNotification };
}
